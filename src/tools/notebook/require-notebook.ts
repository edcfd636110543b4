import { GranaryError, isGranaryError } from "../../support/granary-error.ts";
import type { NamedFile } from "../files/named-file.ts";
import { requireOpenable } from "../files/open-file.ts";

/** Throws when there is no notebook file, and says how to make one. */
export async function requireNotebook(place: NamedFile): Promise<void> {
  try {
    await requireOpenable(place);
  } catch (error) {
    const isMissing = isGranaryError(error, "no-such-file");
    throw isMissing ? new GranaryError(error.code, `${error.message} action: "new" makes an empty notebook.`) : error;
  }
}
