// A session keeps variables from cell to cell, and every result reports whether they still exist.
import assert from "node:assert/strict";
import { createRuntime } from "granary";

const granary = await createRuntime();
try {
  const session = granary.session("analysis");

  await session.run("prices = [3, 4, 5]").result;

  // `run` returns at once: follow the execution live.
  const execution = session.run("for p in prices: print(p)\nsum(prices)");
  for await (const event of execution) if (event.type === "text") process.stdout.write(event.text);
  const { status, output, ledger } = await execution.result;
  assert.deepEqual(
    { status, output, ledger: ledger.state },
    { status: "ok", output: "3\n4\n5\n12\n", ledger: "alive" },
  );

  // A reset starts a fresh kernel: the variables are gone, and the result says so.
  const reset = await session.run("'prices' in globals()", { reset: true }).result;
  assert.equal(reset.output, "False\n");
  assert.equal(reset.ledger.state, "restarted");
} finally {
  await granary.close();
}
