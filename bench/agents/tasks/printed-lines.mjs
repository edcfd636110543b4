const code = `for step in range(20_000):
    print("step", step, "loss", round(1 / (step + 1), 6))`;

/** @type {import("../task.mjs").Task} */
export const printedLines = {
  title: "20,000 printed lines",
  scripts: {
    async granary({ call }) {
      return judge(await call("python", { cells: [{ code }] }));
    },
    async datalayer({ call }) {
      await call("use_notebook", { notebook_name: "nb", notebook_path: "scratch.ipynb", mode: "create" });
      return judge(await call("execute_code", { code }));
    },
  },
};

/**
 * The first and the last line are what anyone looks for.
 * @param {import("../task.mjs").Answer} answer
 */
function judge({ text }) {
  const done = text.includes("step 0 loss 1.0") && text.includes("step 19999 loss 5e-05");
  return { done, isTrue: done };
}
