import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeHubFrame, HubFrameReader } from "../../src/hub/wire/frames.ts";
import { SeededRandom } from "../chaos/random.ts";
import { TestHub } from "../hub/test-hub.ts";
import { isRunning } from "../kernel/processes.ts";
import { mutated, mutatedValue } from "./mutations.ts";
import { hubFrames } from "./samples.ts";

const { GRANARY_FUZZ_SEED: seed = "21", GRANARY_FUZZ_CASES: cases = "100" } = process.env;
const perConnection = 50;
const atOnce = 8;

let hub: TestHub;
beforeAll(async () => {
  hub = new TestHub();
  await hub.run("kept", "x = 6 * 7");
});
afterAll(() => hub[Symbol.asyncDispose]());

const requests = [
  { method: "status", params: {} },
  { method: "describe", params: { name: "kept", folder: "/" } },
  { method: "interrupt", params: { name: "nobody" } },
  { method: "look", params: { name: "kept" } },
  { method: "wait", params: { id: "run-1", since: 0 } },
  {
    method: "agent.open",
    params: { key: "k", session: "s", label: "l", client: null, cwd: "/", env: {}, resultBytes: null },
  },
  { method: "agent.call", params: { tool: "read", input: { path: "x" }, question: null } },
  { method: "agent.call", params: { tool: "python", input: { cells: [{ code: "1" }], session: "kept" }, question: 1 } },
  { method: "agent.keep", params: { mimeType: "text/plain" } },
  { method: "agent.artifacts", params: {} },
  { method: "undo", params: { name: "nobody", to: 1 } },
  { method: "stopSession", params: { name: "nobody", force: false } },
  { method: "constructor", params: {} },
  { method: "__proto__", params: {} },
];

function greeting(): Buffer {
  const { token, version } = hub.record;
  return encodeHubFrame({ ask: 1, method: "hello", params: { token, version, name: "fuzz", pid: process.pid } });
}

/** A client that sends these bytes, and is answered or cut off. */
async function send(chunks: readonly Buffer[], wanted: number): Promise<number> {
  const socket = connect(hub.record.socket);
  const reader = new HubFrameReader();
  let answers = 0;
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => resolve());
    socket.on("error", () => resolve());
    socket.on("data", (chunk: Buffer) => {
      reader.push(chunk);
      for (let frame = reader.next(); frame !== null; frame = reader.next()) {
        if (typeof frame.header.to === "number") answers += 1;
        if (answers >= wanted) socket.end();
      }
    });
  });
  for (const chunk of chunks) socket.write(chunk);
  if (wanted === 0) socket.end();
  await closed;
  return answers;
}

/** A frame that is none ends its connection, so each has one of its own; half of them come after the token. */
test(`damaged frames, ${cases} with the seed ${seed}: the hub and its sessions stay`, {
  timeout: 3_600_000,
}, async () => {
  const { pid } = hub.record;
  for (let done = 0; done < Number(cases); done += atOnce) {
    const some = Array.from({ length: atOnce }, (_, index) => {
      const random = new SeededRandom(Number(seed) * 1_000_003 + done + index);
      const damaged = mutated(hubFrames, random);
      return send(random.chance(0.5) ? [greeting(), damaged] : [damaged], 0);
    });
    await Promise.all(some);
  }
  expect(isRunning(pid)).toBe(true);
  expect(await hub.run("kept", "x")).toBe("42");
});

test(`damaged requests with the token, ${cases} with the seed ${seed}: each is answered`, {
  timeout: 3_600_000,
}, async () => {
  const { pid } = hub.record;
  for (let done = 0; done < Number(cases); done += perConnection) {
    const random = new SeededRandom(Number(seed) * 1_000_003 + done);
    const frames = Array.from({ length: perConnection }, (_, index) => {
      const { method, params } = random.pick(requests);
      return encodeHubFrame({ ask: index + 2, method, params: mutatedValue(params, random) });
    });
    // A cell that runs is waited for, and a wait for nothing fails: all have an answer.
    expect(await send([greeting(), ...frames], perConnection + 1), `seed ${seed}, from case ${done}`).toBe(
      perConnection + 1,
    );
  }
  expect(isRunning(pid)).toBe(true);
  expect(await hub.run("kept", "x")).toBe("42");
});
