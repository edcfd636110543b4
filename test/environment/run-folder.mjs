import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The temporary folder of this run's tests, with a short name for narrow terminals: files of theirs, or of programs that they killed, do not outlive the run. */
export const runFolder = join(tmpdir(), `g${process.pid}`);

/** Run before all tests; the returned function runs after them. */
export default function makeRunFolder() {
  mkdirSync(runFolder, { recursive: true });
  // A program that is still ending may write into it.
  return () => rmSync(runFolder, { recursive: true, force: true, maxRetries: 10 });
}
