const code = `import matplotlib.pyplot as plt
plt.plot([1, 4, 9, 16])
plt.title("squares")`;

/** @type {import("../task.mjs").Task} */
export const plotAndLook = {
  title: "Plot and look",
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

/** @param {import("../task.mjs").Answer} answer */
function judge({ pictures }) {
  const done = pictures.length === 1 && pictures[0]?.subarray(1, 4).toString() === "PNG";
  return { done, isTrue: done, ...(!done && { why: `${pictures.length} pictures` }) };
}
