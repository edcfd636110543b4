/** What Granary failed at, as it stands in a result. */
export interface Failure {
  readonly code: string;
  /** A sentence that names the remedy. */
  readonly message: string;
  readonly cause: unknown;
}

export function failureOf(error: unknown): Failure {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
  // Without a code it is a mistake of ours, or of whoever listens to the events: the cause has its stack.
  return { code: typeof code === "string" ? code : "internal", message: String(message ?? error), cause: error };
}
