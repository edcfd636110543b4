import { readdirSync, readFileSync } from "node:fs";
import { inRepository } from "../../scripts/repository.mjs";
import { encodeHubFrame } from "../../src/hub/wire/frames.ts";
import { legacyCodec, v1Codec } from "../../src/kernel/gateway/websocket/websocket-codec.ts";
import type { JupyterMessage } from "../../src/kernel/jupyter/messages/message.ts";
import type { Hello } from "../../src/kernel/runner/wire/frames.ts";
import { encodeMultipart } from "../../src/kernel/zmq/multipart.ts";
import { Signature } from "../../src/kernel/zmq/signature.ts";
import { readyCommand } from "../../src/kernel/zmq/zmtp/commands.ts";
import { frameHeader } from "../../src/kernel/zmq/zmtp/frames.ts";
import { zmtpGreeting } from "../../src/kernel/zmq/zmtp/greeting.ts";
import { hostile } from "../output/hostile-texts.ts";
import { png } from "../output/pictures/pictures.ts";

/** Valid input of every kind, to be damaged. */

const json = (...values: readonly unknown[]): Buffer[] => values.map((value) => Buffer.from(JSON.stringify(value)));
const texts = (...given: readonly string[]): Buffer[] => given.map((text) => Buffer.from(text));

const bundle = { data: { "text/plain": "1", "application/json": { a: [1] } }, metadata: {} };
const frames = [
  { t: "hello", protocol: 1, python: "3.13.0", executable: "python", pid: 1, mark: "m", pipes: [1, 2], journal: null },
  { t: "started", id: 1 },
  { t: "display", id: 1, ...bundle, displayId: "d", update: true, after: 3 },
  { t: "result", id: 1, ...bundle, count: 1, files: { "text/plain": { bytes: 5, json: false, path: "/x" } } },
  { t: "error", id: 1, name: "E", message: "m", traceback: ["a", "b"] },
  { t: "done", id: 1, outcome: "ok", count: 2 },
  { t: "host-call", id: 1, call: 1, name: "read", args: { args: [], kwargs: {} }, main: true },
  { t: "variables", id: 1, variables: [], total: 0 },
];
export const runnerFrames = frames.map((frame) => Buffer.from(`${JSON.stringify(frame)}\n`));

export const hello: Hello = {
  t: "hello",
  ...{ protocol: 1, python: "3.13.0", executable: "python", pid: 1, mark: "0".repeat(32) },
  ...{ pipes: [1, 2] as const, journal: null, settles: true },
};
/** As from a thread that outlived its cell; also with what only the host adds. */
const large = { "text/plain": { problem: null, bytes: 1, isJson: true, release: 1, chunks: 1 } };
const references = { "application/json": { bytes: 5, json: true, file: 1, path: "/proc/self/fd/0" } };
const comm = { t: "comm", id: null, type: "comm_msg", content: { comm_id: "c", data: {} }, metadata: {} };
const called = { t: "host-call", id: null, call: 1, name: "read", args: { args: [], kwargs: {} }, main: false };
export const lateFrames = [
  { t: "display", id: null, ...bundle, large, displayId: "d", line: "l" },
  { t: "display", id: null, ...bundle, files: references, large: references },
  { ...comm, buffers: ["AAAA"], lengths: [3], large: { data: large["text/plain"] } },
  { ...comm, lengths: 5, large: 5, files: { buffers: { bytes: 5, problem: "p", json: false } } },
  { t: "error", id: 1, name: "E", message: "m", traceback: ["a"], large: large["text/plain"], file: { bytes: 1 } },
  { ...called, call: { toString: 1, valueOf: 1 } },
  called,
  { t: "ask", id: 1, ask: 1, prompt: "p", password: false },
  { t: "no-checkpoint", checkpoint: 1, why: "w" },
  { t: "imports", modules: ["m"] },
  { t: "host-cancel", call: 1 },
];

const wish = { checkpoint: 1, path: "/nowhere/granary-socket", word: "word" };
/** To the runner. Cells write one byte each, so that the effects of damaged requests can be counted. */
const cell = "open('ran', 'a').write('x')";
const requests = [
  { op: "execute", id: 7, code: cell },
  { op: "execute", id: 7, code: cell, internal: true, cwd: ".", env: { A: "1", GONE: null } },
  { op: "execute", id: 7, code: cell, terminal: { columns: 78, colors: 256 }, forms: "readable", history: false },
  { op: "execute", id: 7, code: cell, silent: true, stdin: false, expressions: { a: "1" }, checkpoint: wish },
  { op: "complete", id: 8, code: "pri", cursor: 3 },
  { op: "inspect", id: 8, code: "print", cursor: 3, detail: 1 },
  { op: "is-complete", id: 8, code: "if 1:" },
  { op: "checkpoint", checkpoint: wish },
  { op: "unknown", id: 9 },
];
const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
export const runnerRequests = requests.map(line);
export const controlRequests = [
  { op: "flush" },
  { op: "ping", id: 5 },
  { op: "owner", id: 1 },
  { op: "answer", ask: 1, text: "x" },
  { op: "host-reply", call: 1, reply: { text: "x" } },
  { op: "taken", file: 1 },
  { op: "variables", id: 5, most: 100, longest: 200 },
  { op: "stack", id: 5 },
].map(line);
export const templateRequests = [
  { op: "fork", fork: 1, path: "/nowhere/granary-socket", word: "word" },
  { op: "retire" },
  { op: "reap" },
  { op: "preload", modules: ["json"], seconds: 5, megabytes: 100, prelude: false },
].map(line);
export const becomeKernelRequests = [
  { op: "become-kernel", cwd: "/", env: { A: "1" }, mark: "m" },
  { op: "become-kernel", alone: true, mark: null },
].map(line);

const header = { msg_id: "1", session: "s", username: "u", date: "2026-01-01", msg_type: "stream", version: "5.3" };
const contents: readonly (readonly [string, Record<string, unknown>])[] = [
  ["stream", { name: "stdout", text: "x" }],
  ["display_data", { ...bundle, transient: { display_id: "d" } }],
  ["execute_result", { ...bundle, execution_count: 1 }],
  ["error", { ename: "E", evalue: "v", traceback: ["a", "\x1b[31mb"] }],
  ["clear_output", { wait: true }],
  ["execute_reply", { status: "ok", execution_count: 1, payload: [{ source: "page", data: { "text/plain": "x" } }] }],
  [
    "complete_reply",
    { matches: ["print"], cursor_start: 0, cursor_end: 6, metadata: { _jupyter_types_experimental: [{}] } },
  ],
  ["status", { execution_state: "idle" }],
];
const messages = contents.map(([msg_type, content]) => ({
  ...{ channel: "iopub", header: { ...header, msg_type }, parentHeader: header, metadata: {}, content },
  buffers: [Buffer.from("buffer")],
})) as unknown as readonly JupyterMessage[];
export const webSocketMessages = messages.flatMap((message) =>
  [v1Codec, legacyCodec].map((codec) => Buffer.from(codec.encode(message) as Uint8Array)),
);
export const jupyterMessages = messages.map((message) =>
  [Buffer.from("topic"), ...encodeMultipart(message, new Signature(""))].map((part) => Buffer.from(part)),
);

const ready = readyCommand("DEALER", "me");
export const zmtpBytes = [
  zmtpGreeting(),
  Buffer.concat([frameHeader(ready.length, { isCommand: true }), ready]),
  Buffer.concat([frameHeader(3, { more: true }), Buffer.from("abc"), frameHeader(300), Buffer.alloc(300)]),
];

const fixtures = inRepository("test/notebook/fixtures");
export const notebooks = readdirSync(fixtures)
  .filter((name) => name.endsWith(".ipynb"))
  .map((name) => readFileSync(`${fixtures}/${name}`));

export const cellTexts = texts(
  "# %% [code] cell:0\n1 + 1\n# %% [markdown] cell:1\nText\n",
  "# %% [code]\nx = 1\n\n# %% [raw]\nraw\n# %% [markdown]\n# %% [code] cell:0",
  "\\# %% [code] cell:0\n",
);

export const settings = json(
  { "python.maxSessions": 2, "python.warm": "auto", "output.budgetBytes": 1000 },
  { python: { backend: "runner", allowEnv: ["A", "B_*"], preload: ["numpy"] }, hub: { use: "never" } },
);

export const mcpLines = json(
  { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {} } },
  { jsonrpc: "2.0", id: "a", method: "tools/call", params: { name: "python", arguments: { cells: [{ code: "1" }] } } },
  { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
  [{ jsonrpc: "2.0", id: 2, result: {} }],
).map((line) => Buffer.concat([line, Buffer.from("\n")]));

const hubMessages = [
  { ask: 1, method: "hello", params: { token: "t", version: "0.1.0", name: "n", pid: 1 } },
  { ask: 2, method: "agent.call", params: { tool: "python", input: { cells: [{ code: "1" }] }, question: null } },
  { of: 1, event: { text: "x" } },
  { to: 1, answer: null },
  { to: 2, error: { code: "hub-busy", message: "m" } },
  { cancel: 1 },
  { say: "tools", news: [] },
];
export const hubFrames = hubMessages.map((message, index) =>
  encodeHubFrame(message, index % 2 === 0 ? "a body" : undefined),
);

export const terminalOutput = texts(
  ...hostile,
  "\r 10%\r 50%\r100%\ndone\n",
  "\x1b[2J\x1b[H\x1b[31mred\x1b[0m\x1b[5;10Hhere\x1b[3A\x1b[K\x1b[1J",
  "日本語\b\b\rab\x1b]8;;http://x\x07link\x1b]8;;\x07\x1bP1;2q#0\x1b\\",
);

export const pages = texts(
  "<table><tr><th colspan=2>a</th></tr><tr><td rowspan='3'>1</td><td>2</table>",
  "<h1>T</h1><ul><li>a<li>b<ol><li>c</ul><pre><code class=language-x>y</code></pre><a href='javascript:x'>l</a>",
  "<p onclick=x>a<b>c</p><script>alert(1)</script><style>x{}</style><img src=x onerror=y><svg/onload=z><!-- c --><![CDATA[x]]>",
  "<div style='x:url(javascript:y)'><iframe srcdoc='<b>'></iframe>&#x41;&amp;&bogus;&#99999999;</div>",
);

const pixels = Buffer.alloc(8 * 8 * 4, 120);
const gif = Buffer.from("R0lGODlhAgACAIAAAP8AAAAA/ywAAAAAAgACAAACAoRRADs=", "base64");
const jpeg = Buffer.from(
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z",
  "base64",
);
export const pictures = [png({ width: 8, height: 8, pixels }), gif, jpeg];
