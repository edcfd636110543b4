export type SessionErrorCode =
  | "session-closed"
  | "session-shared"
  | "reset-in-progress"
  | "waits-for-itself"
  | "too-many-restarts"
  | "exhausted";

/** What a session refuses to do, or gave up on. `message` names the remedy. */
export class SessionError extends Error {
  override readonly name = "SessionError";
  readonly code: SessionErrorCode;

  constructor(code: SessionErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}
