const first = "import time\nmodel = {'weights': [1, 2, 3], 'made': time.time()}\nmodel['made']";
const second = "sum(model['weights'])";

/** @type {import("../task.mjs").Task} */
export const continueSession = {
  title: "Continue another client's session",
  scripts: {
    async granary({ call, reconnect }) {
      // The name that both agents were given, as the notebook's name below.
      await call("python", { cells: [{ code: first }], session: "nb" });
      await reconnect();
      return judge(await call("python", { cells: [{ code: second }], session: "nb" }));
    },
    async datalayer({ call, reconnect }) {
      const notebook = { notebook_name: "nb", notebook_path: "scratch.ipynb" };
      await call("use_notebook", { ...notebook, mode: "create" });
      await call("execute_code", { code: first });
      await reconnect();
      await call("use_notebook", notebook);
      return judge(await call("execute_code", { code: second }));
    },
  },
};

/** @param {import("../task.mjs").Answer} answer */
function judge({ text }) {
  const done = /\b6\b/.test(text) && !text.includes("NameError");
  const isTrue = done || text.includes("NameError");
  return { done, isTrue, ...(!done && { why: text.slice(-100).replaceAll("\n", " ") }) };
}
