export type BashErrorCode = "no-folder" | "not-started";

/** A command that could not even be started; the message names the remedy. */
export class BashError extends Error {
  override readonly name = "BashError";
  readonly code: BashErrorCode;

  constructor(code: BashErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
