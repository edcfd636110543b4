import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("peers/jupyter_client_bench.py", import.meta.url));

/** The peer: ipykernel, driven by jupyter_client in a separate Python process, which measures the time itself. */
export class Jupyter {
  #process;
  #answers;

  /** @param {{ python: string, env: Record<string, string> }} setting */
  constructor({ python, env }) {
    this.#process = spawn(python, [script], { env, stdio: ["pipe", "pipe", "inherit"] });
    this.#answers = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** The versions of ipykernel and jupyter_client. */
  versions() {
    return this.#ask({ op: "versions" });
  }

  /** Starts another kernel in place of the last one. @returns {Promise<number>} milliseconds to the first result */
  start() {
    return this.#ask({ op: "start" });
  }

  /** @param {string} code @returns {Promise<number>} milliseconds */
  run(code) {
    return this.#ask({ op: "run", code });
  }

  /**
   * @param {string} code that runs for ever
   * @returns {Promise<number | null>} milliseconds from the interrupt to the reply; null without a reply
   */
  interrupt(code) {
    return this.#ask({ op: "interrupt", code });
  }

  /** @returns {Promise<number>} the kernel's process */
  pid() {
    return this.#ask({ op: "pid" });
  }

  async end() {
    this.#process.stdin.end();
    await once(this.#process, "exit");
  }

  /** @param {object} request */
  async #ask(request) {
    this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error("jupyter_client_bench.py ended");
    return JSON.parse(value);
  }
}
