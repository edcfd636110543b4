import type { NotebookRun } from "../../execute/notebook/notebook-run.ts";
import type { EditDetails } from "../../notebook/edit/edit-action.ts";
import type { OutputTruncation, ShownPart } from "../../output/capture.ts";
import type { DisplayPlace } from "../../output/output-part.ts";
import type { Ledger } from "../../session/ledger.ts";
import type { CellProgress } from "../../session/run-cells.ts";

/** What `python` and `eval` tell of a call, while it is under way and at its end. */
export interface CodeDetails {
  readonly session: string;
  readonly cwd: string;
  readonly cells: readonly CellDetails[];
  /** Which cell did not succeed, from 0; null when all did, or it is too early to say. */
  readonly failed: number | null;
  /** A sentence about that. */
  readonly message: string | null;
  /** What became of Python's state; null before the end. */
  readonly ledger: Ledger | null;
  /** True when the call has returned and the cells go on. */
  readonly background: boolean;
}

export interface CellDetails {
  readonly code: string;
  readonly title: string | null;
  /** `python`, or the language of a kernelspec. */
  readonly language: string;
  readonly status: CellProgress;
  /** By which `executions` knows it. */
  readonly executionId: string;
  /** In milliseconds of `Date.now()`; null before it began. */
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  readonly executionCount: number | null;
  /** As the model reads it; the last of it while the cell runs. */
  readonly output: string;
  /** Pictures, values and status events in the order they came. */
  readonly parts: readonly ShownPart[];
  /** Where these stand in the output. Details that were stored long ago have none: they come after it. */
  readonly places?: readonly DisplayPlace[];
  readonly error: { readonly name: string; readonly message: string } | null;
  /** Of all that was put out; null before the end. */
  readonly totalLines: number | null;
  readonly totalBytes: number | null;
  readonly truncation: OutputTruncation | null;
  /** The file that has all of the output; null when `output` has. */
  readonly fullOutputPath: string | null;
  /** All of the output, for a view that is expanded; null when `output` has it, or it is too long for that. */
  readonly fullOutput: string | null;
  readonly stdinRequested: boolean;
  readonly notices: readonly string[];
}

export interface BashDetails {
  readonly command: string;
  readonly cwd: string;
  readonly status: "running" | "complete" | "error" | "cancelled" | "timeout";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly startedAt: number;
  readonly durationMs: number | null;
  readonly output: string;
  /** As of a cell. */
  readonly totalLines: number | null;
  readonly totalBytes: number | null;
  readonly truncation: OutputTruncation | null;
  readonly fullOutputPath: string | null;
  readonly fullOutput: string | null;
  readonly notices: readonly string[];
}

export type NotebookDetails = NotebookEditDetails | NotebookRunDetails | NotebookLookDetails | NotebookFailureDetails;

/** Of a call that came to nothing: the text says why. */
export interface NotebookFailureDetails {
  readonly action: "failed";
  /** As the call names it. */
  readonly path: string;
}

export interface NotebookEditDetails extends Omit<EditDetails, "action"> {
  readonly action: EditDetails["action"];
  readonly path: string;
  /** All of them, when the call had several; what stands beside it is of the last. */
  readonly edits?: readonly EditDetails[];
}

export interface NotebookRunDetails {
  readonly action: "run";
  readonly path: string;
  readonly session: string;
  /** How far it is: `3 of 12`; null at the end. */
  readonly progress: { readonly number: number; readonly of: number; readonly cellIndex: number } | null;
  /** Null before the end. */
  readonly run: NotebookRun | null;
  readonly totalCells: number;
  /** Of what the cells have put out, as the model reads it; there at the end. */
  readonly truncation?: OutputTruncation | null;
  /** The file that has all of it; null when the model has. */
  readonly fullOutputPath?: string | null;
}

/** Of `show`, `check` and `new`: the text says the rest. */
export interface NotebookLookDetails {
  readonly action: "show" | "check" | "new";
  readonly path: string;
  readonly totalCells: number;
  /** How many places `check` has found that mislead a reader; null of the others. */
  readonly findings: number | null;
  /** Of what `show` shows, as in a run. */
  readonly truncation?: OutputTruncation | null;
  readonly fullOutputPath?: string | null;
}

export interface ReadDetails {
  readonly path: string;
  /** `cells`: a notebook as cell text. */
  readonly form: "text" | "cells" | "picture" | "artifact" | "folder";
  readonly text: string;
  /** Of the first line that is shown, from 1. */
  readonly firstLine: number;
  /** Null for a file that is too large to be counted, and for a picture. */
  readonly totalLines: number | null;
  readonly truncation: OutputTruncation | null;
  /** Of an artifact that is shown whole. */
  readonly mimeType?: string | undefined;
}

export interface EditFileDetails {
  readonly path: string;
  readonly replacements: number;
  /** What changed, as a unified diff. */
  readonly diff: string;
}

export interface WriteDetails {
  readonly path: string;
  readonly created: boolean;
  readonly bytes: number;
  readonly lines: number;
  /** What was written, or its beginning. */
  readonly text: string;
}

/** Of every tool that shows a kernel. */
export interface ExecutionsDetails {
  readonly executions: readonly {
    readonly id: string;
    readonly session: string;
    readonly title: string | null;
    readonly code: string;
    readonly status: string;
    readonly tail: string;
  }[];
}
