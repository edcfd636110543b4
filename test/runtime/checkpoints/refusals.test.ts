import { describe, expect, test } from "vitest";
import type { SettingsOverrides } from "../../../src/settings/settings.ts";
import { py } from "../../kernel/py.ts";
import { until } from "../../kernel/until.ts";
import { runtimeIn, temporaryFolder } from "../runtimes.ts";

const folder = temporaryFolder();

/** A thread that Python knows nothing of, as those of a library written in Rust. */
const nativeThread = py`
  import ctypes
  system = ctypes.CDLL(None)
  thread = ctypes.c_ulong()
  system.pthread_create(ctypes.byref(thread), None, system.pause, None)
  system.pthread_setname_np(thread, b"polars-0")
`;

async function whyNone(python: SettingsOverrides["python"], first = "x = 1"): Promise<string | undefined> {
  await using granary = await runtimeIn(folder, { checkpoints: "auto", ...python });
  const session = granary.session();
  expect((await session.run(first).result).status).toBe("ok");
  await session.run("x = 2").result;
  const { noCheckpoint } = (await session.run("x = 3").result).ledger;
  const { failure } = await session.restore().result;
  expect(failure?.message).toBe(
    `There is nothing to undo. There are no checkpoints. The last cell has none: ${noCheckpoint}.`,
  );
  await expect(session.fork("branch")).rejects.toMatchObject({ code: "no-checkpoint" });
  return noCheckpoint;
}

describe("there is no checkpoint, and results say why,", () => {
  test("when a library has threads that do not survive a fork", async () => {
    expect(await whyNone({}, nativeThread)).toBe("the threads polars-0 of a library");
  });

  test("in a sandbox, and where Python is limited", async () => {
    expect(await whyNone({ launcher: ["/usr/bin/env"] })).toBe("Python runs in a sandbox or behind a launcher");
    expect(await whyNone({ maxProcesses: 50 })).toBe("memory, CPU time or processes are limited");
  });
});

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
