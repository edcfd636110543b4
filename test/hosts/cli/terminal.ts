import { inRepository } from "../../../scripts/repository.mjs";
import { RealTerminal } from "../../terminal/real-terminal.ts";
import { baseEnvironment, testFolder } from "./granary.ts";

export interface Step {
  /** The output to wait for, since the last step. */
  readonly after: string;
  /** The keys to press then. */
  readonly type: string;
}

/** Runs the built program in a real terminal with typed input. `screen` is everything written, unprocessed. */
export async function granaryInTerminal(
  args: readonly string[],
  steps: readonly Step[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ screen: string; exitCode: number }> {
  const command = [process.execPath, inRepository("bin/granary"), ...args];
  const terminal = new RealTerminal(command, { cwd: testFolder, env: { ...baseEnvironment(), ...env } });
  let seen = 0;
  for (const { after, type } of steps) {
    await terminal.hasWritten(after, seen);
    seen = terminal.written.length;
    terminal.type(type);
  }
  const exitCode = await terminal.exited;
  return { screen: terminal.written.replaceAll("\r\n", "\n"), exitCode };
}
