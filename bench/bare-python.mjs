import { spawn } from "node:child_process";
import { once } from "node:events";

/** @typedef {import("./setting.mjs").Setting} Setting */

/**
 * A program from its start to its end, with nothing read or written.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env: Record<string, string>, cwd?: string }} options
 */
export async function runProgram(program, args, options) {
  const child = spawn(program, args, { ...options, stdio: "ignore" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with exit code ${code}`);
}

/**
 * A Python of which nothing but pipes is used: the best that any kernel could be.
 * @param {Pick<Setting, "python" | "env">} setting
 * @param {string} code
 */
export function startPython({ python, env }, code) {
  const child = spawn(python, ["-c", code], { env, stdio: ["pipe", "pipe", "inherit"] });
  return {
    pid: /** @type {number} */ (child.pid),
    stdin: child.stdin,
    stdout: child.stdout,
    async end() {
      if (child.exitCode !== null) return;
      child.stdin.end();
      await once(child, "exit");
    },
  };
}
