const before = "data = list(range(1000))\nlen(data)";
const fatal = "import os\nos.abort()";
const after = "'data' in globals()";

/** @type {import("../task.mjs").Task} */
export const crash = {
  title: "Crash, and know what is lost",
  scripts: {
    async granary({ call }) {
      const run = (/** @type {string} */ code) => call("python", { cells: [{ code }] });
      await run(before);
      return judge(await run(fatal), await run(after));
    },
    async datalayer({ call }) {
      await call("use_notebook", { notebook_name: "nb", notebook_path: "scratch.ipynb", mode: "create" });
      const run = (/** @type {string} */ code) => call("execute_code", { code });
      await run(before);
      return judge(await run(fatal), await run(after));
    },
  },
};

/**
 * Done: Python answers again. True: the report names a crash, and says of the variables what is so.
 * @param {import("../task.mjs").Answer} crashed
 * @param {import("../task.mjs").Answer} next
 */
function judge(crashed, next) {
  const isKept = next.text.includes("True");
  const done = isKept || next.text.includes("False");
  const said = `${crashed.text}\n${next.text}`;
  const saysCrash = /abort|SIGABRT|crash|died|dead/i.test(said);
  const saysVariables = isKept
    ? /as they were|restored|kept/i.test(said)
    : /variables|state|lost|fresh|new kernel/i.test(said);
  const isTrue = saysCrash && saysVariables && !/time(d)? ?out/i.test(crashed.text);
  return { done, isTrue, ...(!(done && isTrue) && { why: crashed.text.slice(0, 100).replaceAll("\n", " ") }) };
}
