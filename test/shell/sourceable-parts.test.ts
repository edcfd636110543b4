import { describe, expect, test } from "vitest";
import { sourceableParts } from "../../src/shell/snapshot/sourceable-parts.ts";

const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };
const { signal } = new AbortController();

describe("of the parts of a snapshot", () => {
  test("those that bash rejects are left out, and the others stay", async () => {
    const parts = [
      "first() { echo first; }",
      "second() { if true; then",
      "third() { echo 'it never ends; }",
      "shopt -s no_such_option",
      "read() { exit 3; }; eval() { exit 4; }",
      "\\builtin alias -- 'while=false'",
      "last() { echo last; }",
    ];
    expect(await sourceableParts(parts, { env, signal })).toEqual([parts[0], ...parts.slice(4)]);
  });

  test("one may need what another has set", async () => {
    const parts = ["shopt -s extglob", "f() { case $1 in @(a|b)) echo yes ;; esac; }"];
    expect(await sourceableParts(parts, { env, signal })).toEqual(parts);
    expect(await sourceableParts(parts.slice(1), { env, signal })).toEqual([]);
  });

  test("without bash, the reason is reported", async () => {
    await expect(sourceableParts([], { env, signal, bash: "/nowhere/bash" })).rejects.toThrow(
      "bash could not be started",
    );
  });

  test("testing them can be cancelled", async () => {
    const cancelled = sourceableParts(["sleep 600"], { env, signal: AbortSignal.timeout(50) });
    await expect(cancelled).rejects.toThrow(expect.objectContaining({ name: "TimeoutError" }));
  });
});
