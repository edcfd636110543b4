import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { environment } from "./environment/pythons.ts";
import { isLong, testedPythons } from "./environment/variants.ts";

const all = ["discover", "-s", "tests", "-t", "."];

describe("the Python side's own tests pass", { timeout: 300_000 }, () => {
  const main = environment("main");

  test.each(testedPythons())("on Python $version", ({ path }) => passesUnittest(path, all));

  test.skipIf("missing" in main)("with numpy, pandas, matplotlib, plotly, altair, tqdm, rich and IPython", () =>
    passesUnittest("python" in main ? main.python : "", isLong ? all : thatUsePackages()),
  );
});

/** Tests that skip something, or compare with something, where a package is missing. */
function thatUsePackages(): readonly string[] {
  const folder = inRepository("python/tests");
  const files = readdirSync(folder).filter((name) => /^test_.*\.py$/.test(name));
  const some = files.filter((name) => /find_spec|skip|WithAndWithout/.test(readFileSync(`${folder}/${name}`, "utf8")));
  expect(some.length).toBeGreaterThan(5);
  return some.map((name) => `tests.${name.replace(".py", "")}`);
}

async function passesUnittest(python: string, tests: readonly string[]): Promise<void> {
  const args = ["-m", "unittest", ...tests];
  const { exitCode, output } = await new Promise<{ exitCode: number | string; output: string }>((resolve) => {
    execFile(python, args, { cwd: inRepository("python") }, (error, stdout, stderr) => {
      resolve({ exitCode: error?.code ?? 0, output: stdout + stderr });
    });
  });
  expect(exitCode, output).toBe(0);
}
