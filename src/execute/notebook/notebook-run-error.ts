export type NotebookRunErrorCode = "invalid-jobs" | "invalid-parameter" | "not-python" | "same-notebook";

/** A notebook that cannot be run as it was asked for; the message names the remedy. */
export class NotebookRunError extends Error {
  override readonly name = "NotebookRunError";
  readonly code: NotebookRunErrorCode;

  constructor(code: NotebookRunErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
