import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { bunPath } from "../../scripts/bun-path.mjs";
import { inRepository } from "../../scripts/repository.mjs";
import { connectHub } from "../../src/hub/client/connect-hub.ts";
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

const [clients, sessions, cellsEach] = isLong ? [50, 20, 1000] : [10, 4, 15];

test(`${clients} clients, ${sessions} sessions, ${cellsEach} cells in each: every cell runs once, in its session, with its own output`, async () => {
  await hub.run("warm", "0");
  const peers = await Promise.all(Array.from({ length: clients }, (_, index) => client(`client ${index}`)));
  const [first] = peers as [Peer];
  await Promise.all(Array.from({ length: sessions }, (_, index) => run(first, `s${index}`, ["ran = []"])));
  let sent = 0;
  await Promise.all(
    peers.map(async (peer) => {
      while (sent < sessions * cellsEach) {
        const mark = sent++;
        const session = `s${mark % sessions}`;
        expect(await run(peer, session, [`ran.append(${mark}); print("${mark}")`])).toBe(`${mark}\n`);
      }
    }),
  );
  for (let index = 0; index < sessions; index++) {
    const expected = `[${index} + ${sessions} * n for n in range(${cellsEach})]`;
    expect(await run(first, `s${index}`, [`print(sorted(ran) == ${expected})`])).toBe("True\n");
  }
  for (const peer of peers) peer.close();
}, 600_000);

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
