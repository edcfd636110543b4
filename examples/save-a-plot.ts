// Save a figure. Needs matplotlib. Figures that are open at the end of a cell appear without `plt.show()`.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { startKernel } from "granary";

const kernel = await startKernel();
try {
  const code = `
import matplotlib.pyplot as plt
plt.plot([1, 4, 9, 16])
plt.title("Squares");
`;

  const file = new URL("squares.png", import.meta.url);
  for await (const event of kernel.execute(code)) {
    if (event.type === "error") throw new Error(event.message);
    if (event.type !== "display") continue;
    const png = event.data["image/png"];
    if (typeof png === "string") await writeFile(file, png, "base64"); // binary content comes as base64
  }

  const signature = (await readFile(file)).toString("latin1", 1, 4);
  assert.equal(signature, "PNG");
} finally {
  await kernel.close();
}
