import { join } from "node:path";
import { readOutputs, writeNotebook } from "./notebook-file.mjs";

/** @type {import("../task.mjs").Task} */
export const fixNotebook = {
  title: "Fix a failing notebook",
  prepare(folder) {
    writeNotebook(join(folder, "report.ipynb"), [
      { code: "prices = [3, 4, 5]" },
      { code: "total = sum(prices)" },
      { code: "print('total', totl)" },
      { code: "print('mean', total / len(prices))" },
    ]);
  },
  scripts: {
    async granary({ call, folder }) {
      const failed = await call("notebook", { action: "run", path: "report.ipynb" });
      await call("edit", { path: "report.ipynb", edits: [{ old: "totl", new: "total" }] });
      const { text } = await call("notebook", { action: "run", path: "report.ipynb" });
      return judge(folder, failed.text, text);
    },
    async datalayer({ call, folder }) {
      await call("use_notebook", { notebook_name: "report", notebook_path: "report.ipynb" });
      const answers = [];
      for (const index of [0, 1, 2]) answers.push(await call("execute_cell", { cell_index: index }));
      await call("edit_cell_source", { cell_index: 2, old_string: "totl", new_string: "total" });
      await call("execute_cell", { cell_index: 2 });
      const { text } = await call("execute_cell", { cell_index: 3 });
      await saved();
      return judge(folder, answers[2]?.text ?? "", text);
    },
  },
};

/** JupyterLab's shared document reaches the file about a second after its last change; the wait is not counted. */
function saved() {
  return new Promise((resolve) => setTimeout(resolve, 3_000));
}

/**
 * True: the first run names the error, the last one has the result.
 * @param {string} folder
 * @param {string} failed
 * @param {string} fixed
 */
function judge(folder, failed, fixed) {
  const { printed, errors } = readOutputs(join(folder, "report.ipynb"));
  const done = printed.includes("total 12") && printed.includes("mean 4.0") && errors === 0;
  const isTrue = failed.includes("NameError") && failed.includes("totl") && fixed.includes("mean 4.0");
  return { done, isTrue, ...(!done && { why: `the file has: ${JSON.stringify(printed)}` }) };
}
