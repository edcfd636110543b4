export type ArtifactErrorCode = "not-an-address" | "not-found" | "unreadable" | "search-too-slow";

/** Why an artifact could not be read; the message names the remedy. */
export class ArtifactError extends Error {
  override readonly name = "ArtifactError";
  readonly code: ArtifactErrorCode;

  constructor(code: ArtifactErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
