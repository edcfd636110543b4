import type { NotebookRun } from "../../execute/notebook/notebook-run.ts";
import type { EditDetails } from "../../notebook/edit/edit-action.ts";
import type { OutputTruncation, ShownPart } from "../../output/capture.ts";
import type { DisplayPlace } from "../../output/output-part.ts";
import type { Ledger } from "../../session/ledger.ts";
import type { CellProgress } from "../../session/run-cells.ts";

/** Details of a `python` or `eval` call, during the call and at its end. */
export interface CodeDetails {
  readonly session: string;
  readonly cwd: string;
  readonly cells: readonly CellDetails[];
  /** The index of the failed cell; null when none failed, or it is too early to say. */
  readonly failed: number | null;
  /** A sentence about the failure. */
  readonly message: string | null;
  /** The state of the session's variables; null before the end. */
  readonly ledger: Ledger | null;
  /** True when the call has returned and the cells continue. */
  readonly background: boolean;
}

export interface CellDetails {
  readonly code: string;
  readonly title: string | null;
  /** `python`, or the language of a kernelspec. */
  readonly language: string;
  readonly status: CellProgress;
  /** Its id in `executions`. */
  readonly executionId: string;
  /** In milliseconds of `Date.now()`; null before the start. */
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  readonly executionCount: number | null;
  /** As the model reads it; only its end while the cell runs. */
  readonly output: string;
  /** Pictures, values and status events, in order. */
  readonly parts: readonly ShownPart[];
  /** Their positions in the output. Details stored by older versions have none: these displays come after it. */
  readonly places?: readonly DisplayPlace[];
  readonly error: { readonly name: string; readonly message: string } | null;
  /** Size of the whole output; null before the end. */
  readonly totalLines: number | null;
  readonly totalBytes: number | null;
  readonly truncation: OutputTruncation | null;
  /** The file with the whole output; null when `output` is complete. */
  readonly fullOutputPath: string | null;
  /** The whole output, for an expanded view; null when `output` is complete, or it is too long. */
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
  /** As in a cell. */
  readonly totalLines: number | null;
  readonly totalBytes: number | null;
  readonly truncation: OutputTruncation | null;
  readonly fullOutputPath: string | null;
  readonly fullOutput: string | null;
  readonly notices: readonly string[];
}

export type NotebookDetails = NotebookEditDetails | NotebookRunDetails | NotebookLookDetails | NotebookFailureDetails;

/** For a failed call: the text says why. */
export interface NotebookFailureDetails {
  readonly action: "failed";
  /** As named in the call. */
  readonly path: string;
}

export interface NotebookEditDetails extends Omit<EditDetails, "action"> {
  readonly action: EditDetails["action"];
  readonly path: string;
  /** All edits, when the call had several; the other fields are those of the last. */
  readonly edits?: readonly EditDetails[];
}

export interface NotebookRunDetails {
  readonly action: "run";
  readonly path: string;
  readonly session: string;
  /** Progress: `3 of 12`; null at the end. */
  readonly progress: { readonly number: number; readonly of: number; readonly cellIndex: number } | null;
  /** Null before the end. */
  readonly run: NotebookRun | null;
  readonly totalCells: number;
  /** How the cells' output is cut for the model; set at the end. */
  readonly truncation?: OutputTruncation | null;
  /** The file with all of it; null when the model has all. */
  readonly fullOutputPath?: string | null;
}

/** For `show`, `check` and `new`: the text says the rest. */
export interface NotebookLookDetails {
  readonly action: "show" | "find" | "outline" | "check" | "new";
  readonly path: string;
  readonly totalCells: number;
  /** How many misleading places `check` has found; null for the others. */
  readonly findings: number | null;
  /** How the output of `show`, `find` and `outline` is cut, as in a run. */
  readonly truncation?: OutputTruncation | null;
  readonly fullOutputPath?: string | null;
}

export interface ReadDetails {
  readonly path: string;
  /** `cells`: a notebook as cell text. */
  readonly form: "text" | "cells" | "picture" | "artifact" | "folder";
  readonly text: string;
  /** The first shown line, from 1. */
  readonly firstLine: number;
  /** Null for a file too large to count, and for a picture. */
  readonly totalLines: number | null;
  readonly truncation: OutputTruncation | null;
  /** Set for an artifact that is shown whole. */
  readonly mimeType?: string | undefined;
}

export interface EditFileDetails {
  readonly path: string;
  readonly replacements: number;
  /** The change as a unified diff. */
  readonly diff: string;
}

export interface WriteDetails {
  readonly path: string;
  readonly created: boolean;
  readonly bytes: number;
  readonly lines: number;
  /** The written text, or its beginning. */
  readonly text: string;
}

/** For every tool that shows a kernel. */
export interface ExecutionsDetails {
  readonly executions: readonly {
    readonly id: string;
    readonly session: string;
    readonly title: string | null;
    readonly code: string;
    readonly status: string;
    /** Its effects are no longer in the variables. */
    readonly undone?: true | undefined;
    readonly tail: string;
  }[];
}
