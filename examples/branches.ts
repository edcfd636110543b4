// Three alternatives on one data set, at the same time: each branch has its own copy of the variables. One is kept.
import assert from "node:assert/strict";
import { createRuntime } from "granary";

const granary = await createRuntime();
try {
  const session = granary.session("prices");
  await session.run("prices = [8, 1, 9, 3]\nimport statistics").result;

  const methods = { mean: "statistics.mean(prices)", median: "statistics.median(prices)", top: "max(prices)" };
  const results = await Promise.all(
    Object.entries(methods).map(async ([name, code]) => {
      const branch = await session.fork(name);
      const { output } = await branch.run(`answer = ${code}; answer`).result;
      return { branch, output: output.trim() };
    }),
  );
  assert.deepEqual(
    results.map(({ output }) => output),
    ["5.25", "5.5", "9"],
  );

  const chosen = results.find(({ output }) => output === "5.5");
  assert.ok(chosen);
  await session.keep(chosen.branch);
  const { output } = await session.run("answer, prices").result;
  assert.equal(output, "(5.5, [8, 1, 9, 3])\n");
} finally {
  await granary.close();
}
