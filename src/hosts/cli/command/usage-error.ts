import { GranaryError } from "../../../support/granary-error.ts";

/** The person at the keyboard wants something that cannot be; the message says what would work. */
export class UsageError extends GranaryError<"usage"> {
  constructor(message: string) {
    super("usage", message);
  }
}
