/** A failure of Granary, as part of a result. */
export interface Failure {
  readonly code: string;
  /** A sentence that names the remedy. */
  readonly message: string;
  readonly cause: unknown;
}

export function failureOf(error: unknown): Failure {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
  // An error without a code is a bug of ours, or of an event listener: the cause has its stack.
  return { code: typeof code === "string" ? code : "internal", message: String(message ?? error), cause: error };
}
