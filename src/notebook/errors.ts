/** One code for each thing that can go wrong with a notebook, because each has its own remedy. */
export type NotebookErrorCode =
  // reading
  | "missing-file"
  | "unreadable"
  | "invalid-json"
  | "not-a-notebook"
  | "unsupported-version"
  | "missing-cells"
  | "cells-not-array"
  | "invalid-cell"
  | "invalid-cell-type"
  | "invalid-source"
  // editing
  | "invalid-action"
  | "index-out-of-range"
  | "unknown-id"
  | "missing-content"
  | "text-not-found"
  | "text-ambiguous"
  | "cannot-split"
  | "cannot-merge"
  | "not-a-code-cell"
  | "invalid-cell-text"
  | "invalid-selector"
  // saving
  | "changed-on-disk"
  | "locked"
  | "not-writable"
  | "no-path";

export interface NotebookErrorDetails {
  readonly path?: string;
  /** Both count from 1, as editors do. */
  readonly line?: number;
  readonly column?: number;
  readonly cellIndex?: number;
  readonly [detail: string]: unknown;
}

/** `message` is a sentence for people that names the remedy; `code` is for programs. */
export class NotebookError extends Error {
  override readonly name = "NotebookError";
  readonly code: NotebookErrorCode;
  readonly details: NotebookErrorDetails;

  constructor(
    code: NotebookErrorCode,
    message: string,
    options: { details?: NotebookErrorDetails; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}
