// A timeout interrupts the cell and keeps the variables.
import assert from "node:assert/strict";
import { startKernel } from "granary";

const kernel = await startKernel();
try {
  const endless = `
rounds = 0
while True:
    rounds += 1
`;

  let outcome: string | undefined;
  for await (const event of kernel.execute(endless, { signal: AbortSignal.timeout(300) })) {
    if (event.type === "error") console.log(event.name); // KeyboardInterrupt
    if (event.type === "done") outcome = event.outcome;
  }
  assert.equal(outcome, "interrupted");

  let hasCounted: unknown;
  for await (const event of kernel.execute("rounds > 1000")) {
    if (event.type === "result") hasCounted = event.data["text/plain"];
  }
  assert.equal(hasCounted, "True");
} finally {
  await kernel.close();
}
