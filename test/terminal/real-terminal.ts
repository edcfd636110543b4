import { onTestFinished } from "vitest";
import { newestPython } from "../environment/pythons.ts";
import { ProgramInTerminal } from "./program-in-terminal.mjs";

export interface RealTerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A program in a real pseudo-terminal, which ends with the test. */
export class RealTerminal extends ProgramInTerminal {
  constructor(command: readonly string[], { columns = 100, rows = 40, ...options }: RealTerminalOptions) {
    super(command, { ...options, columns, rows, python: newestPython().path });
    onTestFinished(() => this.close());
  }
}
