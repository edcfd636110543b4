const job = `import time
for step in range(10):
    time.sleep(1)
    print("step", step)
print("trained")`;
const question = "print(6 * 7)";

/** @type {import("../task.mjs").Task} */
export const longJob = {
  title: "Long job, and a question at the same time",
  scripts: {
    async granary({ call }) {
      const started = await call("python", { cells: [{ code: job }], background: true });
      const answer = await call("python", { cells: [{ code: question }], session: "beside" });
      const ended = await call("executions", { action: "wait", id: idIn(started.text), timeout: 60 });
      return judge(answer.text, ended.text);
    },
    async datalayer({ call }) {
      await call("use_notebook", { notebook_name: "nb", notebook_path: "scratch.ipynb", mode: "create" });
      await call("use_notebook", { notebook_name: "beside", notebook_path: "beside.ipynb", mode: "create" });
      const [ended, answer] = await Promise.all([
        call("insert_execute_code_cell", { cell_index: -1, cell_source: job, timeout: 60, notebook_name: "nb" }),
        call("execute_code", { code: question }),
      ]);
      return judge(answer.text, ended.text);
    },
  },
};

/** @param {string} text */
function idIn(text) {
  return /run-\d+/.exec(text)?.[0] ?? "";
}

/**
 * @param {string} answer
 * @param {string} ended
 */
function judge(answer, ended) {
  const done = answer.includes("42") && ended.includes("trained");
  return { done, isTrue: done, ...(!done && { why: ended.slice(0, 80).replaceAll("\n", " ") }) };
}
