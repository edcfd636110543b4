import type { KernelEvent, StreamName } from "../../kernel/events.ts";
import type { KernelInfo, KernelState } from "../../kernel/kernel.ts";
import type { CellStatus, Verdict } from "../../session/cell-verdict.ts";
import type { Surroundings } from "./surroundings.ts";

/** Whoever is told how a run goes: a person who watches, or a program that wants one document. */
export interface Report {
  cellBegins(): void;
  take(event: KernelEvent): void | Promise<void>;
  /** Output that came while no cell was running. */
  background(text: string, name: StreamName): void;
  cellEnds(verdict: Verdict): void;
  /** A sentence for people, about the run and not from Python. */
  note(sentence: string): Promise<void>;
  runEnds(end: RunEnd): Promise<void>;
}

export interface ReportOptions {
  readonly surroundings: Surroundings;
  readonly pictureFolder: string;
}

export interface RunEnd {
  readonly status: CellStatus;
  /** What Granary failed at, if it did. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly kernel: { readonly info: KernelInfo; readonly state: KernelState } | null;
  readonly skippedCells: number;
}
