import type { KernelEvent, StreamName } from "../../../kernel/events.ts";
import type { KernelInfo, KernelState } from "../../../kernel/kernel.ts";
import type { ShownDisplay } from "../../../output/output-part.ts";
import type { ExecutionResult, ExecutionStatus } from "../../../session/execution/execution.ts";
import type { Settings } from "../../../settings/settings.ts";

/** Whoever is told how a run goes: a person who watches, or a program that wants one document. */
export interface Report {
  /** Comes when the settings are known, which is before the first cell. */
  runBegins(settings: Settings): void;
  cellBegins(): void;
  /** With a display or an error comes its text as the result has it, and with a display the rest of what was made of it. */
  take(event: KernelEvent, text: string | undefined, shown: ShownDisplay | undefined): void | Promise<void>;
  /** A question is going to stand where output ends. */
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
  /** What Granary failed at, if it did. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly kernel: { readonly info: KernelInfo; readonly state: KernelState; readonly generation: number } | null;
  readonly skippedCells: number;
  /** The names of the threads that were still running when the time was up, or somebody interrupted the wait for them. */
  readonly unfinishedThreads: readonly string[];
  /** The status that the code asked for with `sys.exit()`, or that a program ended Python with; null if it did neither. */
  readonly exitStatus: number | null;
}
