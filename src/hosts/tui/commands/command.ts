import type { TranscriptBlock } from "../blocks/block.ts";
import type { CellBlock } from "../blocks/cell-block.ts";
import type { Workbench } from "../workbench.ts";

/** A command of the console, typed as `/name argument`. */
export interface ConsoleCommand {
  readonly name: string;
  /** The argument's name, for `/help`. */
  readonly argument?: string;
  readonly summary: string;
  run(argument: string, console: CommandConsole): void | Promise<void>;
}

/** The console, as commands use it. */
export interface CommandConsole {
  readonly workbench: Workbench;
  /** Resolves a file name from the console's folder. */
  pathOf(name: string): string;
  /** The cell whose output is shown; null when none runs. */
  readonly foreground: CellBlock | null;
  add(block: TranscriptBlock): void;
  /** Shows an execution live. */
  follow(executionId: string): void;
  /** Moves the running cell to the background. */
  toBackground(): void;
  /** Runs code in a Python of its own, in the background. */
  runBeside(code: string): void;
  /** Leaves the console; asks first where variables would be lost. */
  leave(): void;
  /** Gives the terminal to another view until the person leaves it. */
  openNotebook(path: string): Promise<void>;
}
