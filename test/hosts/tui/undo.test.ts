import { test } from "vitest";
import { TestConsole } from "./consoles.ts";

test("/undo takes cells back, one or all after a number, and says what it did", async () => {
  const console = new TestConsole({ rows: 60, columns: 200, env: { GRANARY_PYTHON_CHECKPOINTS: "always" } });
  for (const code of ["x = 'first'", "x = 'second'", "x = 'third'"]) console.run(code);
  console.run("x");
  await console.shows(/❯ x\n {2}'third'\n/);
  console.run("/kernels");
  await console.shows(/main: ready; python .*\n {2}checkpoints: after cell 1 \(\d+ s ago.*\), after cell 2 /);
  console.run("/variables");
  await console.shows(/x {2}str .*'third'\n\ncheckpoints: after cell 1 /);
  console.run("/undo 2");
  await console.shows("Cells 3 and 4 were undone. Variables are as they were after cell 2.");
  console.run("x");
  await console.shows(/❯ x\n {2}'second'\n/);
  console.run("/undo 1");
  await console.shows("Variables are as they were after cell 1.");
  console.run("print(x, 'again')");
  await console.shows("  first again\n");
});

test("/undo says what is in its way", async () => {
  const console = new TestConsole({ env: { GRANARY_PYTHON_CHECKPOINTS: "always" } });
  console.run("6 * 7");
  await console.shows(/❯ 6 \* 7\n {2}42\n/);
  console.run("/undo soon");
  await console.shows("/undo takes the number of a cell, not soon.");
  console.run("/undo");
  await console.shows("Cell 1 was undone.");
  console.run("/undo");
  await console.shows("There is nothing to undo.");
});
