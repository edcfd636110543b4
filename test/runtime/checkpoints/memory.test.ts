import { expect, test } from "vitest";
import { timelines } from "../../../src/runtime/timelines.ts";
import { newestPython } from "../../environment/pythons.ts";
import { isRunning } from "../../kernel/processes.ts";
import { startRunner } from "../../kernel/runner/start-runner.ts";
import { until } from "../../kernel/until.ts";
import { createPool, sessionKey } from "../../session/pool/pool.ts";
import { runtimeIn, temporaryFolder } from "../runtimes.ts";

const folder = temporaryFolder();

test("when memory is short, no copy is made, and the cell runs all the same", async () => {
  await using granary = await runtimeIn(folder, { checkpoints: "always", lowMemoryPercent: 100, sweepSeconds: 3600 });
  const session = granary.session();
  await session.run("x = 1").result;
  const { ledger, output } = await session.run("x").result;
  expect({ output, why: ledger.noCheckpoint }).toEqual({ output: "1\n", why: "memory is short" });
});

test("copies that hold more memory than allowed are dropped, the oldest first", async () => {
  await using granary = await runtimeIn(folder, { checkpoints: "always", checkpointMemoryMb: 100 });
  const session = granary.session();
  // Each copy holds the 60 MB that the next cell replaces.
  for (let cell = 1; cell <= 5; cell++) await session.run(`block = bytearray(b"${cell}") * 60_000_000`).result;
  const cells = (): readonly number[] => session.checkpoints().map(({ cell }) => cell);
  await until("few enough are left", () => cells().length > 0 && cells().length <= 2);
  expect(cells().at(-1)).toBe(4);
  await session.restore().result;
  expect((await session.run("chr(block[0])").result).output).toBe("'4'\n");
});

test("a long cell that replaces its data in place takes the copy with it that would hold too much", async () => {
  await using granary = await runtimeIn(folder, { checkpoints: "always", checkpointMemoryMb: 50 });
  const session = granary.session();
  await session.run("import time; block = bytearray(b'1') * 100_000_000").result;
  const { result } = session.run(
    "time.sleep(1.5); block[:] = bytearray(b'2') * 100_000_000\ntry: time.sleep(60)\nfinally: print('over')",
  );
  await until("the copy is there", () => session.checkpoints().length === 1);
  await until("the copy is gone", () => session.checkpoints().length === 0);
  await session.interrupt();
  expect((await result).output).toContain("over");
});

test("copies make room when memory is short, before any kernel does", async () => {
  let isShort = false;
  await using granary = await runtimeIn(folder);
  const { python } = granary.settings;
  const pool = createPool(() => startRunner(newestPython().path), {
    timeline: () => timelines(() => python),
    isMemoryShort: () => isShort,
    sweepMs: 100,
  });
  const session = pool.session(sessionKey("main"));
  for (const code of ["x = 1", "x = 2", "x = 3"]) await session.run(code).result;
  await until("the copies are there", () => session.checkpoints().length === 2);
  const pids = session.checkpoints().map(({ pid }) => pid);
  isShort = true;
  await until("the copies are gone", () => !pids.some(isRunning));
  expect(session.checkpoints()).toEqual([]);
  expect((await session.run("x").result).output).toBe("3\n");
  await pool.close();
});
