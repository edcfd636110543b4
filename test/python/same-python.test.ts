import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isSamePython } from "../../src/python/find/same-python.ts";

const folder = mkdtempSync(join(tmpdir(), "granary-same-python-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("another name in the same folder is the same Python; a virtual environment's link to it is not", () => {
  for (const name of ["bin", "venv"]) mkdirSync(join(folder, name));
  const executable = join(folder, "bin/python3.12");
  writeFileSync(executable, "", { mode: 0o755 });
  symlinkSync("python3.12", join(folder, "bin/python3"));
  symlinkSync(executable, join(folder, "venv/python3"));
  const from = (bin: string) => ({ cwd: folder, env: { PATH: join(folder, bin) } });
  expect(isSamePython("python3", executable, from("bin"))).toBe(true);
  expect(isSamePython("bin/python3", executable, from("venv"))).toBe(true);
  expect(isSamePython("python3", executable, from("venv"))).toBe(false);
  expect(isSamePython("venv/python3", executable, from("bin"))).toBe(false);
  expect(isSamePython("python4", executable, from("bin"))).toBe(false);
});
