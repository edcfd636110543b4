import type { TranscriptBlock } from "../blocks/block.ts";
import type { CellBlock } from "../blocks/cell-block.ts";
import type { Workbench } from "../workbench.ts";

/** Something that the console can do besides running code. Typed as `/name argument`. */
export interface ConsoleCommand {
  readonly name: string;
  /** What is to be given with it, for `/help`. */
  readonly argument?: string;
  readonly summary: string;
  run(argument: string, console: CommandConsole): void | Promise<void>;
}

/** What a command may do with the console. */
export interface CommandConsole {
  readonly workbench: Workbench;
  /** The file that a name means, seen from the console's folder. */
  pathOf(name: string): string;
  /** The cell whose output is being shown; null when nothing runs. */
  readonly foreground: CellBlock | null;
  add(block: TranscriptBlock): void;
  /** Shows an execution as it goes on. */
  follow(executionId: string): void;
  /** Lets the cell that runs go on unseen. */
  toBackground(): void;
  /** In a Python of its own, unseen. */
  runBeside(code: string): void;
  /** Gives the terminal to a view of its own until it is left. */
  openNotebook(path: string): Promise<void>;
}
