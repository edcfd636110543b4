import { spawn } from "node:child_process";
import { once } from "node:events";

/** @typedef {import("./setting.mjs").Setting} Setting */

/**
 * Runs a program from start to end, without input and output.
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
 * A Python with only pipes: the best possible kernel.
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
