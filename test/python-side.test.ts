import { execFile } from "node:child_process";
import { describe, expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { environment } from "./environment/pythons.ts";
import { testedPythons } from "./environment/variants.ts";

describe("the Python side's own tests pass", { timeout: 300_000 }, () => {
  const main = environment("main");

  test.each(testedPythons())("on Python $version", ({ path }) => passesUnittest(path));

  test.skipIf("missing" in main)("with numpy, pandas, matplotlib, plotly, altair, tqdm, rich and IPython", () =>
    passesUnittest("python" in main ? main.python : ""),
  );
});

async function passesUnittest(python: string): Promise<void> {
  const args = ["-m", "unittest", "discover", "-s", "python/tests", "-t", "python"];
  const { exitCode, output } = await new Promise<{ exitCode: number | string; output: string }>((resolve) => {
    execFile(python, args, { cwd: inRepository(".") }, (error, stdout, stderr) => {
      resolve({ exitCode: error?.code ?? 0, output: stdout + stderr });
    });
  });
  expect(exitCode, output).toBe(0);
}
