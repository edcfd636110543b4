import { inRepository, say } from "./repository.mjs";

/**
 * Runs a program in the repository's folder, and shows its last lines only if it fails.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ missing?: string, failed: string }} sentences messages for people, with the remedy
 * @returns {Promise<void>}
 */
export async function runQuietly(program, args, { missing = `${program} was not found.`, failed }) {
  const { spawn } = await import("node:child_process");
  const { code, output } = await new Promise((resolve, reject) => {
    let output = "";
    const child = spawn(program, args, { cwd: inRepository("."), stdio: ["ignore", "pipe", "pipe"] });
    const keep = (/** @type {string} */ text) => {
      output += text;
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.on("error", (error) => reject(new Error(missing, { cause: error })));
    child.on("close", (code) => resolve({ code, output }));
  });
  if (code === 0) return;
  for (const line of output.trimEnd().split("\n").slice(-20)) say(`  ${line}`);
  throw new Error(failed);
}
