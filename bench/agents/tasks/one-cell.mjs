/**
 * The scripts of a task that takes one cell. The other server needs a notebook first.
 * @param {string} code
 * @param {(answer: import("../task.mjs").Answer) => import("../task.mjs").Verdict} judge
 * @returns {import("../task.mjs").Task["scripts"]}
 */
export function oneCell(code, judge) {
  return {
    granary: async ({ call }) => judge(await call("python", { cells: [{ code }] })),
    async datalayer({ call }) {
      await call("use_notebook", { notebook_name: "nb", notebook_path: "scratch.ipynb", mode: "create" });
      return judge(await call("execute_code", { code }));
    },
  };
}
