import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readOutputs } from "./notebook-file.mjs";

const title = "# Squares";
const cells = ["squares = [n * n for n in range(10)]", "print(sum(squares))", "print(max(squares))"];

/** @type {import("../task.mjs").Task} */
export const makeNotebook = {
  title: "Make and run a notebook",
  scripts: {
    async granary({ call, folder }) {
      const content = ["# %% [markdown]", `# ${title}`, ...cells.flatMap((code) => ["# %%", code]), ""].join("\n");
      await call("write", { path: "squares.ipynb", content });
      const { text } = await call("notebook", { action: "run", path: "squares.ipynb" });
      return judge(folder, text);
    },
    async datalayer({ call, folder }) {
      await call("use_notebook", { notebook_name: "squares", notebook_path: "squares.ipynb", mode: "create" });
      await call("insert_cell", { cell_index: -1, cell_type: "markdown", cell_source: title });
      const answers = [];
      for (const cell of cells) {
        answers.push(await call("insert_execute_code_cell", { cell_index: -1, cell_source: cell }));
      }
      // JupyterLab's shared document reaches the file about a second after its last change.
      await sleep(3_000);
      return judge(folder, answers.map(({ text }) => text).join("\n"));
    },
  },
};

/**
 * @param {string} folder
 * @param {string} said
 */
function judge(folder, said) {
  const path = join(folder, "squares.ipynb");
  const { printed, errors } = existsSync(path) ? readOutputs(path) : { printed: "no file", errors: 0 };
  const done = printed.includes("285") && printed.includes("81") && errors === 0;
  const isTrue = said.includes("285") && said.includes("81");
  return { done, isTrue, ...(!(done && isTrue) && { why: JSON.stringify(printed) }) };
}
