import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Handshake, RunnerProcess } from "../../../../src/kernel/runner/spawn-runner.ts";
import type { Hello } from "../../../../src/kernel/runner/wire/frames.ts";
import { openStreams } from "../../../../src/kernel/runner/wire/open-streams.ts";

test("named pipes that cannot be opened are removed: a forked Python is killed then, and cannot do so itself", async () => {
  const folder = mkdtempSync(join(tmpdir(), "granary-"));
  const [stdout, stderr] = [join(folder, "stdout"), join(folder, "stderr")];
  execFileSync("mkfifo", [stdout]);
  const runner = { pid: 1, inherited: null, isLimited: false, frames: { write: () => true } };
  const handshake = { nextLine: async () => Buffer.from(JSON.stringify({ t: "fifos", stdout, stderr })) };
  const opened = openStreams(
    runner as unknown as RunnerProcess,
    { pid: 1, pipes: [1, 2], journal: null } as unknown as Hello,
    handshake as unknown as Handshake,
    () => {},
    { prefer: "fifos", signal: undefined },
  );
  await expect(opened).rejects.toThrow("The pipes of a forked Python could not be opened.");
  expect(existsSync(folder)).toBe(false);
});
