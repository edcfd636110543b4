import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeNotebook } from "./notebook-file.mjs";

/** @type {import("../task.mjs").Task} */
export const areOutputsTrue = {
  title: "Are the notebook's outputs true?",
  prepare(folder) {
    writeNotebook(join(folder, "stored.ipynb"), [
      { code: "values = [3, 4, 5]\nprint(len(values))", printed: "3\n" },
      { code: "print(sum(values))", printed: "10\n" },
      { code: "print(max(values))", printed: "5\n" },
    ]);
  },
  scripts: {
    async granary({ call, folder }) {
      const before = readFileSync(join(folder, "stored.ipynb"), "utf8");
      const { text } = await call("notebook", { action: "verify", path: "stored.ipynb" });
      const done = text.includes("10") && text.includes("12");
      // Only the second cell is wrong.
      const accused = [...text.matchAll(/^Cell (\d+)/gm)].map(([, index]) => index);
      const isTrue = done && accused.join() === "1" && before === readFileSync(join(folder, "stored.ipynb"), "utf8");
      return { done, isTrue, ...(!isTrue && { why: text.slice(0, 100).replaceAll("\n", " ") }) };
    },
    /** It has no such tool: the agent reads what is stored, runs every cell and compares. The stored outputs are lost. */
    async datalayer({ call, folder }) {
      const before = readFileSync(join(folder, "stored.ipynb"), "utf8");
      await call("use_notebook", { notebook_name: "stored", notebook_path: "stored.ipynb" });
      const stored = [];
      const fresh = [];
      for (const index of [0, 1, 2]) stored.push((await call("read_cell", { cell_index: index })).text);
      for (const index of [0, 1, 2]) fresh.push((await call("execute_cell", { cell_index: index })).text);
      const done = stored[1]?.includes("10") === true && fresh[1]?.includes("12") === true;
      const isTrue = done && fresh[0]?.includes("3") === true && fresh[2]?.includes("5") === true;
      await new Promise((resolve) => setTimeout(resolve, 3_000)); // until JupyterLab has saved the file
      const isKept = before === readFileSync(join(folder, "stored.ipynb"), "utf8");
      return { done, isTrue, why: `by hand${isKept ? "" : "; the file's outputs are overwritten"}` };
    },
  },
};
