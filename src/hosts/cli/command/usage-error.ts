import { GranaryError } from "../../../support/granary-error.ts";

/** A request that cannot be carried out as typed; the message says what would work. */
export class UsageError extends GranaryError<"usage"> {
  constructor(message: string, cause?: unknown) {
    super("usage", message, { cause });
  }
}
