import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { insideOnly } from "../../src/runtime/sandbox/inside-only.ts";

test("variables that load libraries reach the program behind the limits, whatever its path and their values are", () => {
  const folder = mkdtempSync(join(tmpdir(), "granary-inside-"));
  const program = join(folder, "run=1", "program");
  mkdirSync(join(folder, "run=1"));
  writeFileSync(program, `#!/bin/sh\nprintf '[%s]' "$LD_ONE" "$LD_TWO" "$OTHER" "$@"`);
  chmodSync(program, 0o755);
  try {
    const given = { LD_ONE: "a b'c\"$(d)\n--", LD_TWO: "", OTHER: "x" };
    const { launcher, env } = insideOnly([], given);
    expect(env).toEqual({ OTHER: "x" });
    const [first = "", ...words] = [...launcher, program, "--", "e=f"];
    expect(spawnSync(first, words, { env: { ...env }, encoding: "utf8" }).stdout).toBe(
      "[a b'c\"$(d)\n--][][x][--][e=f]",
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
