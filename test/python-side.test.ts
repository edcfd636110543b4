import { execFile } from "node:child_process";
import { describe, expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { environment } from "./environment/pythons.ts";
import { isLong, testedPythons } from "./environment/variants.ts";

const all = ["discover", "-s", "tests", "-t", "."];

/** Tests that do the same with and without IPython, and skip the half that is not installed. */
const withAndWithoutIpython = ["tests.test_ipython_shell", "tests.test_run_cell"];

describe("the Python side's own tests pass", { timeout: 300_000 }, () => {
  const main = environment("main");
  const skipped = new Set<string>();

  test.each(testedPythons())("on Python $version", async ({ path }) => {
    for (const name of skippedTests(await passesUnittest(path, all))) skipped.add(name);
  });

  test.skipIf("missing" in main)("with numpy, pandas, matplotlib, plotly, altair, tqdm, rich and IPython", async () => {
    const some = [...withAndWithoutIpython, ...skipped];
    const output = await passesUnittest("python" in main ? main.python : "", isLong || skipped.size === 0 ? all : some);
    expect(skippedTests(output).filter((name) => name.includes(".test_patches."))).toEqual([]);
  });
});

/** Their full names, from lines such as `test_a (tests.test_b.C) ... skipped 'why'`; Python 3.11 writes the method twice. */
function skippedTests(output: string): readonly string[] {
  const lines = output.matchAll(/^(\w+) \(([\w.]+)\) \.\.\. skipped /gm);
  return [...lines].map(([, method, parent]) => (parent?.endsWith(`.${method}`) ? parent : `${parent}.${method}`));
}

async function passesUnittest(python: string, tests: readonly string[]): Promise<string> {
  const args = ["-m", "unittest", ...tests, "-v"];
  const { exitCode, output } = await new Promise<{ exitCode: number | string; output: string }>((resolve) => {
    execFile(python, args, { cwd: inRepository("python"), maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      resolve({ exitCode: error?.code ?? 0, output: stdout + stderr });
    });
  });
  expect(exitCode, output).toBe(0);
  return output;
}
