import { describe, expect, test } from "vitest";
import type { SettingsOverrides } from "../../../src/settings/settings.ts";
import { py } from "../../kernel/py.ts";
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
    `Cell 3 cannot be undone: there is no checkpoint of an earlier state. The last cell has none: ${noCheckpoint}. An undo to cell 0 (--to 0, for the tool kernels "to": 0) undoes all cells: Python starts again.`,
  );
  await expect(session.fork("branch")).rejects.toMatchObject({ code: "no-checkpoint" });
  return noCheckpoint;
}

describe("there is no checkpoint, and results say why,", () => {
  test("when a library has threads that do not survive a fork", async () => {
    expect(await whyNone({}, nativeThread)).toBe("the threads polars-0 of a library");
  });

  test("in a sandbox, and behind a launcher", async () => {
    expect(await whyNone({ launcher: ["/usr/bin/env"] })).toBe("Python runs in a sandbox or behind a launcher");
  });
});
