// A cell may print more than a model can read: the result is cut and names an artifact with the whole output.
import assert from "node:assert/strict";
import { createRuntime } from "granary";

const granary = await createRuntime();
try {
  const { output, truncation } = await granary.session("long").run("for i in range(100_000): print(i)").result;

  console.log(output.slice(0, 40), "…", output.slice(-40));
  console.log(`${truncation?.elidedLines} lines left out; open them with: granary artifact ${truncation?.artifact}`);

  assert.equal(truncation?.totalLines, 100_000);
  assert.ok(output.length < 60_000);
} finally {
  await granary.close();
}
