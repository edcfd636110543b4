import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * A Python that stays, with Jupyter's own libraries for notebooks. It measures its time itself.
 * @param {{ readonly python: string, readonly env: Record<string, string> }} setting
 */
export function startNotebookPeer({ python, env }) {
  const script = fileURLToPath(new URL("notebook_bench.py", import.meta.url));
  const child = spawn(python, [script], { env, stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** @param {object} request @returns {Promise<number>} milliseconds */
    async ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error("notebook_bench.py ended");
      return Number(value);
    },
    async end() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}
