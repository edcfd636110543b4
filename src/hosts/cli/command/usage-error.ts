/** The person at the keyboard wants something that cannot be; the message says what would work. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}
