import { GranaryError } from "../../../support/granary-error.ts";

/** This file or this edit needs the whole file in memory, which also reports what is wrong with the file. No caller of Granary sees it. */
export class NeedsWholeFile extends GranaryError<"changed-on-disk"> {
  constructor(cause?: unknown) {
    super("changed-on-disk", "The notebook has to be read again, as a whole.", { cause });
  }
}
