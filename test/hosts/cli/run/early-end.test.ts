import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { inRepository } from "../../../../scripts/repository.mjs";
import { TestHub } from "../../../hub/test-hub.ts";
import { baseEnvironment } from "../granary.ts";

const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

const bytes = 20_000_000;
/** The reader starts late, when the pipe has long been full, and says how much it got. */
const script = `{ "$0" "$@"; echo "exit $?" >&2; } </dev/null | { sleep 2; wc -c; }`;

/** `bin/granary` and the client of the hub end the process without Node's clearing up, which must not cut the output. */
describe("a run ends at once, but only after a slow reader has everything", () => {
  const inOwnProcess = { path: "in its own process", args: [] };
  const inHub = { path: "in the hub", args: ["--session", "early"] };
  const printed = `import sys; sys.stdout.write("x" * ${bytes})`;
  const inPieces = `for _ in range(${bytes / 1000}): print("x" * 999)`;

  test.each([
    { ...inOwnProcess, how: "at once", code: `${printed}\nsys.exit(7)`, exit: 7 },
    { ...inOwnProcess, how: "in pieces", code: inPieces, exit: 0 },
    { ...inHub, how: "at once", code: `${printed}\nsys.exit(7)`, exit: 7 },
    { ...inHub, how: "in pieces", code: inPieces, exit: 0 },
  ])("$path, printed $how", async ({ args, code, exit }) => {
    const granary = [process.execPath, inRepository("bin/granary"), "run", ...args, "-c", code];
    const env = { ...baseEnvironment(), ...hub.env };
    const shell = await promisify(execFile)("/bin/sh", ["-c", script, ...granary], { cwd: hub.folder, env });
    expect(Number(shell.stdout)).toBe(bytes);
    expect(shell.stderr).toMatch(new RegExp(`(^|\n)exit ${exit}\n$`));
  });
});
