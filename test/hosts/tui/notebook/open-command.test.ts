import { expect, test } from "vitest";
import { notebook } from "../../cli/notebook/notebook-command.ts";

test("without a terminal, says what to do instead", async () => {
  const { stderr, exitCode } = await notebook(["open", "a.ipynb"]);
  expect(stderr).toBe(
    "granary: granary notebook open needs a terminal to draw on. To print the notebook: granary notebook show a.ipynb\n",
  );
  expect(exitCode).toBe(2);
});

test("a missing file opens no screen", async () => {
  const { stderr, exitCode, stdout } = await notebook(["open", "missing.ipynb"], { isTerminal: () => true });
  expect(stderr).toMatch(/There is no notebook at .*missing\.ipynb\. Make one with: granary notebook new/);
  expect([stdout, exitCode]).toEqual(["", 2]);
});

test("--help explains saving", async () => {
  const { stdout, exitCode } = await notebook(["open", "--help"]);
  expect(stdout).toContain("Running a cell saves");
  expect(exitCode).toBe(0);
});
