// Cells share one Python: the second uses a variable of the first.
import assert from "node:assert/strict";
import { startKernel } from "granary";

const kernel = await startKernel();
try {
  for await (const event of kernel.execute("numbers = [1, 2, 3]")) {
    if (event.type === "error") console.error(event.traceback.join("\n"));
  }

  let answer: unknown;
  for await (const event of kernel.execute("sum(numbers) * 7")) {
    if (event.type === "result") answer = event.data["text/plain"];
  }

  assert.equal(answer, "42");
} finally {
  await kernel.close();
}
