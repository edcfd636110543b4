import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Each run leaves a line in a file, so that work that was lost or done twice is seen. */
const code = `import time
with open("runs.txt", "a") as runs:
    runs.write("started\\n"); runs.flush()
    time.sleep(8)
    runs.write("ended\\n")
"answer: %d" % (6 * 7)`;

/** @type {import("../task.mjs").Task} */
export const overLimit = {
  title: "Work that takes longer than the limit",
  scripts: {
    async granary({ call, folder }) {
      const first = await call("python", { cells: [{ code }], timeout: 3 });
      const id = /run-\d+/.exec(first.text)?.[0];
      const last = id
        ? await call("executions", { action: "wait", id, timeout: 60 })
        : await call("python", { cells: [{ code }], timeout: 60 });
      return judge(folder, last.text);
    },
    async datalayer({ call, folder }) {
      await call("use_notebook", { notebook_name: "nb", notebook_path: "scratch.ipynb", mode: "create" });
      await call("execute_code", { code, timeout: 3 });
      const last = await call("execute_code", { code, timeout: 60 });
      await sleep(1_000);
      return judge(folder, last.text);
    },
  },
};

/**
 * @param {string} folder
 * @param {string} text
 */
function judge(folder, text) {
  const file = join(folder, "runs.txt");
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  const count = (/** @type {string} */ word) => lines.filter((line) => line === word).length;
  const isTrue = text.includes("answer: 42");
  const done = isTrue && count("started") === 1 && count("ended") === 1;
  return { done, isTrue, ...(!done && { why: `started ${count("started")} ×, ended ${count("ended")} ×` }) };
}
