import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LoopbackPort } from "../../../src/support/http/loopback-port.ts";
import { temporaryFolder } from "../../runtime/runtimes.ts";
import { openPage } from "./open-page.ts";

const page = await openPage();
const agent = page.runtime.session("agent");
await agent.run("secret = 1").result;
const { body: listed } = await page.rest<{ sessions: readonly { id: string }[] }>("GET", "sessions");
const at = `sessions/${listed.sessions[0]?.id}`;

const outside = temporaryFolder();
const notebook = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });
writeFileSync(join(outside, "outside.ipynb"), notebook);
writeFileSync(join(page.folder, "own.ipynb"), notebook);
mkdirSync(join(page.folder, "below"));
symlinkSync(join(outside, "outside.ipynb"), join(page.folder, "link.ipynb"));
symlinkSync(outside, join(page.folder, "below", "linked"));

/** The status line of the answer to these bytes, or null for a closed connection; and everything that followed. */
async function sendBytes(text: string, port = page.port): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("utf8");
  let answer = "";
  socket.on("data", (part: string) => {
    answer += part;
    socket.end();
  });
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return answer;
}

const head = (line: string, more = ""): string => `${line} HTTP/1.1\r\nHost: 127.0.0.1:${page.port}\r\n${more}\r\n`;

test("paths that lead out of the session's folder open no notebook, whatever their form", async () => {
  const wrong = [
    ...["link.ipynb", "below/linked/outside.ipynb", "../outside.ipynb", "below/../../outside.ipynb"],
    ...[join(outside, "outside.ipynb"), "own.ipynb\0.ipynb", "..\\outside.ipynb", "./../x.ipynb", "own.txt", "", "."],
    ...["%2e%2e/outside.ipynb", "file:///etc/x.ipynb", "~/x.ipynb", "C:\\x.ipynb", "x".repeat(10_000) + ".ipynb"],
  ];
  for (const path of wrong) {
    const followed = await page.rest("GET", `${at}/notebook/events?path=${encodeURIComponent(path)}`);
    expect([path, followed.status]).toEqual([path, 409]);
    for (const action of ["edit", "run", "interrupt", "answer", "save-again"]) {
      const { status } = await page.rest("POST", `${at}/notebook/${action}`, {
        ...{ path, action: "insert", after: null, type: "code", source: "x", text: "x" },
      });
      expect([path, action, status]).toEqual([path, action, 409]);
    }
  }
  expect(readFileSync(join(outside, "outside.ipynb"), "utf8")).toBe(notebook);
});

test("a session saves no notebook through a link", async () => {
  const { status } = await page.rest("POST", `${at}/save`, { file: "link.ipynb", overwrite: true });
  expect(readFileSync(join(outside, "outside.ipynb"), "utf8")).toBe(notebook);
  expect(status).toBe(409);
});

test("values of the wrong type get a sentence, and never a failure of the server", async () => {
  const values = [null, 1, -1, 1e308, true, "", "\0", [], {}, [[]], { length: 1e9 }];
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const polluting = JSON.parse(
    '{"__proto__": {"isOpen": true, "polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}',
  );
  const names: Readonly<Record<string, readonly string[]>> = {
    run: ["code"],
    interrupt: ["cell"],
    answer: ["cell", "text"],
    complete: ["code", "cursor"],
    inspect: ["code", "cursor"],
    rows: ["name", "start", "count", "column"],
    restore: ["state"],
    branch: ["name"],
    save: ["file"],
    "notebook/edit": ["action", "key", "source", "revision", "after", "type", "index"],
    "notebook/run": ["cells", "from"],
  };
  for (const [action, fields] of Object.entries(names)) {
    for (const [at, field] of fields.entries()) {
      const some = [...values, polluting].map((value) => JSON.stringify(value));
      // One field shows that an action reads large values.
      const texts = at === 0 ? [...some, JSON.stringify("x".repeat(100_000)), deep] : some;
      for (const value of texts) {
        // These run, and make a branch.
        if ((action === "run" || action === "branch") && value.startsWith('"')) continue;
        const usual = '"path": "own.ipynb", "action": "edit", "__proto__": {"polluted": 1}';
        const { status } = await page.rest("POST", `${at}/${action}`, `{${usual}, "${field}": ${value}}`);
        expect([action, field, value.slice(0, 100), status < 500]).toEqual([action, field, value.slice(0, 100), true]);
      }
    }
  }
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
  expect((await agent.run("secret").result).output).toBe("1\n");
});

test("lines that are no requests are refused, and the log learns nothing of tokens", async () => {
  const lines = [
    ...["GET //", "GET /page/../api", "GET /page//api//sessions", "GET /page/%", "GET /page/api/sessions/%00/events"],
    ...["GET http://evil.example/page/api/sessions", "GET *", "OPTIONS *", "TRACE /page", "GET /page\\api"],
    ...[
      "GET //page:99999/",
      "GET /page/api/sessions?path=%ff%fe",
      "PROPFIND /page/api/sessions",
      "GET /page/api/token",
    ],
  ];
  for (const line of lines) {
    const answer = await sendBytes(head(line));
    expect([line, answer.split("\r\n")[0]]).toEqual([line, expect.stringMatching(/^(?:HTTP\/1\.1 40[0345] |$)/)]);
    const known = await sendBytes(head(line, `Authorization: Bearer ${page.token}\r\n`));
    expect([line, known.split("\r\n")[0]]).toEqual([line, expect.not.stringMatching(/^HTTP\/1\.1 5/)]);
  }
  const twice = await sendBytes(`GET /page HTTP/1.1\r\nHost: 127.0.0.1:${page.port}\r\nHost: evil.example\r\n\r\n`);
  expect(twice).toMatch(/^HTTP\/1\.1 40[03]/);
  const none = await sendBytes("GET /page HTTP/1.0\r\n\r\n");
  expect(none).toMatch(/^HTTP\/1\.1 403/);
  expect(page.logged.join("\n")).not.toContain(page.token);
  expect(page.logged).toEqual([]);
});

test("a stranger without a token cannot make the page read a long body", async () => {
  const body = JSON.stringify({ code: "x".repeat(100_000) });
  const token = await fetch(`http://127.0.0.1:${page.port}/page/api/token`, { method: "POST", body });
  expect(token.status).toBe(400);
  const length = "Content-Length: 100000000\r\n";
  expect(await sendBytes(`${head("POST /page/api/sessions/x/run", length)}{`)).toMatch(/^HTTP\/1\.1 403/);
});

test("a client that sends a request slower than slowly loses its connection", async () => {
  const port = await LoopbackPort.open({ timeouts: { headersMs: 50, requestMs: 100 } });
  port.mount("page", page.site);
  const host = `Host: 127.0.0.1:${port.port}\r\n`;
  expect(await sendBytes("GET /page HTTP/1.1\r\nHos", port.port)).toMatch(/^(?:HTTP\/1\.1 408|$)/);
  const late = `POST /page/api/token HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\n{`;
  expect(await sendBytes(late, port.port)).toMatch(/^(?:HTTP\/1\.1 408|$)/);
  await port.close();
});
