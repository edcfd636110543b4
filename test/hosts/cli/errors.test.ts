import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { processContext } from "../../../src/hosts/cli/command/command-context.ts";
import { main } from "../../../src/hosts/cli/main.ts";
import { errorCodes, type GranaryErrorCode } from "../../../src/support/error-codes.ts";
import { GranaryError } from "../../../src/support/granary-error.ts";

const codes = Object.values(errorCodes).flatMap((group) => Object.keys(group) as GranaryErrorCode[]);

test("an error of any code prints one message without a stack, and its exit code says who must act", async () => {
  const exits = new Map<number, GranaryErrorCode[]>();
  for (const code of codes) {
    const { exitCode, stderr } = await failingWith(new GranaryError(code, "It is so. Do this."));
    expect(stderr, code).toBe("granary: It is so. Do this.\n");
    exits.set(exitCode, [...(exits.get(exitCode) ?? []), code]);
  }
  expect([...exits.keys()].sort()).toEqual([2, 3]);
  expect(exits.get(2)).toEqual(expect.arrayContaining(["usage", "settings", "missing-file", "index-out-of-range"]));
  expect(exits.get(3)).toEqual(expect.arrayContaining(["start-failed", "no-python", "changed-on-disk", "exhausted"]));
});

test("any other error is a bug, and is thrown with its stack", async () => {
  const bug = new TypeError("x is not a function");
  await expect(failingWith(bug)).rejects.toBe(bug);
  const ofTheSystem = Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT" });
  await expect(failingWith(ofTheSystem)).rejects.toBe(ofTheSystem);
});

/** The command line in a folder that cannot be resolved, for this reason. */
async function failingWith(error: Error): Promise<{ readonly exitCode: number; readonly stderr: string }> {
  const stderr = new PassThrough();
  const exitCode = await main(["script.py"], {
    ...processContext,
    get cwd(): string {
      throw error;
    },
    env: {},
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr,
  });
  return { exitCode, stderr: String(stderr.read() ?? "") };
}
