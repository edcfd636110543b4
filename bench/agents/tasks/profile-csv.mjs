import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { oneCell } from "./one-cell.mjs";

const rows = 5_000;
const code = `import pandas as pd
df = pd.read_csv("sales.csv")
df.info()
df.describe()`;

/** @type {import("../task.mjs").Task} */
export const profileCsv = {
  title: "Profile a CSV",
  prepare(folder) {
    const lines = Array.from(
      { length: rows },
      (_, n) => `${n},${["north", "south", "east"][n % 3]},${(n * 37) % 1000}`,
    );
    writeFileSync(join(folder, "sales.csv"), `id,region,amount\n${lines.join("\n")}\n`);
  },
  scripts: oneCell(code, judge),
};

/** @param {import("../task.mjs").Answer} answer */
function judge({ text }) {
  const done = text.includes("5000 entries") && text.includes("499.5");
  return { done, isTrue: done };
}
