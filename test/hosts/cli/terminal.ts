import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { inRepository } from "../../../scripts/repository.mjs";
import { newestPython } from "../../environment/pythons.ts";
import { baseEnvironment, testFolder } from "./granary.ts";

export interface Step {
  /** What the screen has to show first. */
  readonly after: string;
  /** The keys to press then. */
  readonly type: string;
}

export const keys = { enter: "\r", backspace: "\x7f", ctrlC: "\x03", ctrlD: "\x04" };

/** Runs the built program in a real terminal, where somebody types. */
export function granaryInTerminal(
  args: readonly string[],
  steps: readonly Step[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ screen: string; exitCode: number }> {
  const driver = fileURLToPath(new URL("terminal.py", import.meta.url));
  const command = [process.execPath, inRepository("bin/granary"), ...args];
  return new Promise((resolve, reject) => {
    const child = execFile(
      newestPython().path,
      [driver],
      { cwd: testFolder, env: { ...baseEnvironment(), ...env } },
      (error, stdout) => (error === null ? resolve(JSON.parse(stdout)) : reject(error)),
    );
    child.stdin?.end(JSON.stringify({ command, steps }));
  });
}
