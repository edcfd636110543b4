import { execFile } from "node:child_process";
import { describe, expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { environment, newestPython, oldestPython } from "./environment/pythons.ts";

describe("the Python side's own tests pass", { timeout: 300_000 }, () => {
  const [oldest, newest, main] = [oldestPython(), newestPython(), environment("main")];

  test(`on the oldest Python here, ${oldest.version}`, () => passesUnittest(oldest.path));

  test(`on the newest Python here, ${newest.version}`, () => passesUnittest(newest.path));

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
