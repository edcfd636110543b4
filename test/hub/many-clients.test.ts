import { execFile } from "node:child_process";
import { connect } from "node:net";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { bunPath } from "../../scripts/bun-path.mjs";
import { inRepository } from "../../scripts/repository.mjs";
import { connectHub } from "../../src/hub/client/connect-hub.ts";
import { encodeHubFrame } from "../../src/hub/wire/frames.ts";
import type { Peer } from "../../src/hub/wire/peer.ts";
import { isLong } from "../environment/variants.ts";
import { baseEnvironment } from "../hosts/cli/granary.ts";
import { TestHub } from "./test-hub.ts";

const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

const version = "0.1.0";

async function client(name: string): Promise<Peer> {
  return (await connectHub({ home: hub.home, env: hub.env, version, name })) as Peer;
}

/** Runs cells as `granary run --session` does, on a connection that stays; the printed text. */
async function run(peer: Peer, session: string, cells: readonly string[]): Promise<string> {
  const args = {
    source: { type: "code", cells },
    ...{ timeoutMs: null, json: false, session, background: false, reset: false, extraEnv: {} },
  };
  let printed = "";
  const wish = { args, cwd: hub.folder, env: { ...baseEnvironment(), ...hub.env }, terminals: [], answers: false };
  const onEvent = (event: Readonly<Record<string, unknown>>, body: Buffer | null): void => {
    if (event.call === "print") printed += body?.toString() ?? "";
  };
  const end = await peer.request<{ readonly status: string }>("run", wish, { onEvent });
  if (end.status !== "ok") throw new Error(JSON.stringify(end));
  return printed;
}

const [clients, sessions, rounds] = isLong ? [50, 20, 1000] : [10, 4, 5];

test(`${clients} clients in ${sessions} sessions: every cell runs once, and in its session`, async () => {
  await hub.run("warm", "0");
  const peers = await Promise.all(Array.from({ length: clients }, (_, index) => client(`client ${index}`)));
  await Promise.all(Array.from({ length: sessions }, (_, index) => run(peers[0] as Peer, `s${index}`, ["count = 0"])));
  const count = Math.ceil(rounds / clients);
  await Promise.all(
    peers.map(async (peer, index) => {
      for (let round = 0; round < count; round++) {
        const mark = `${index} ${round}`;
        const session = `s${(index + round) % sessions}`;
        expect(await run(peer, session, [`count += 1; print("${mark}")`])).toBe(`${mark}\n`);
      }
    }),
  );
  const counts = await Promise.all(
    Array.from({ length: sessions }, (_, index) => run(peers[0] as Peer, `s${index}`, ["print(count)"])),
  );
  expect(counts.map(Number).reduce((sum, each) => sum + each)).toBe(clients * count);
  for (const peer of peers) peer.close();
}, 600_000);

test("a reader that does not read slows down its own cell, and nobody else's", async () => {
  await hub.run("other", "x = 1");
  const { record } = hub;
  const stuck = connect(record.socket);
  const hello = { token: record.token, version, name: "stuck", pid: process.pid };
  stuck.write(encodeHubFrame({ ask: 1, method: "hello", params: hello }));
  const args = {
    source: { type: "code", cells: ["for _ in range(2000): print('x' * 9999)"] },
    ...{ timeoutMs: null, json: false, session: "flood", background: false, reset: false, extraEnv: {} },
  };
  const wish = { args, cwd: hub.folder, env: { ...baseEnvironment(), ...hub.env }, terminals: [], answers: false };
  stuck.write(encodeHubFrame({ ask: 2, method: "run", params: wish }));
  stuck.pause();
  const isFlooding = async () =>
    (await hub.status())?.sessions.some(({ name, state }) => name === "flood" && state === "busy");
  for (let looks = 0; !(await isFlooding()) && looks < 40; looks++);
  expect(await hub.run("other", "x + 1")).toBe("2");
  // Its end frees the cell, whose output is complete in the history.
  stuck.destroy();
  expect(await hub.run("flood", "'through'")).toBe("'through'");
});

test("a client on Bun shares the sessions of one on Node", async () => {
  await hub.run("both", "x = 20");
  const { stdout } = await promisify(execFile)(
    bunPath() as string,
    [inRepository("bin/granary"), "run", "--session", "both", "-c", "x + 1"],
    { cwd: hub.folder, env: { ...baseEnvironment(), ...hub.env } },
  );
  expect(stdout).toBe("21\n");
});

test("a hub that runs on Bun serves clients on Node", async () => {
  await using onBun = new TestHub();
  const { stdout } = await promisify(execFile)(
    bunPath() as string,
    [inRepository("bin/granary"), "run", "--session", "both", "-c", "x = 20; print(x)"],
    { cwd: onBun.folder, env: { ...baseEnvironment(), ...onBun.env } },
  );
  expect(stdout).toBe("20\n");
  expect(await onBun.run("both", "x + 1")).toBe("21");
});
