import type { KernelEvent, StreamName } from "../../../kernel/events.ts";
import type { KernelInfo, KernelState } from "../../../kernel/kernel.ts";
import type { ShownDisplay } from "../../../output/output-part.ts";
import type { ExecutionResult, ExecutionStatus } from "../../../session/execution/execution.ts";
import type { Settings } from "../../../settings/settings.ts";

/** The reader of a run: a person who watches, or a program that wants one document. */
export interface Report {
  /** Called when the settings are known, before the first cell. */
  runBegins(settings: Settings): void;
  cellBegins(): void;
  /** A display or an error comes with its text as in the result, and a display with its rendering. */
  take(event: KernelEvent, text: string | undefined, shown: ShownDisplay | undefined): void | Promise<void>;
  /** Called before a question is written where output ends. */
  personIsAsked(): Promise<void>;
  /** Output that came while no cell was running. */
  background(text: string, name: StreamName): void;
  cellEnds(result: ExecutionResult): void | Promise<void>;
  /** A sentence for people, about the run and not from Python. */
  note(sentence: string): Promise<void>;
  runEnds(end: RunEnd): Promise<void>;
}

export interface RunEnd {
  readonly status: ExecutionStatus;
  /** A failure of Granary, if any. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly kernel: { readonly info: KernelInfo; readonly state: KernelState; readonly generation: number } | null;
  readonly skippedCells: number;
  /** Names of the threads that were still running at the timeout or the interrupt. */
  readonly unfinishedThreads: readonly string[];
  /** The status of `sys.exit()`, or the one that a program ended Python with; null for neither. */
  readonly exitStatus: number | null;
}
