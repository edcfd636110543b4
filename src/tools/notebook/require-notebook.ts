import { ToolError } from "../definition/tool-error.ts";
import type { NamedFile } from "../files/named-file.ts";
import { requireOpenable } from "../files/open-file.ts";

/** Throws when there is no file that could be a notebook, and says how to get one. */
export async function requireNotebook(place: NamedFile): Promise<void> {
  try {
    await requireOpenable(place);
  } catch (error) {
    const isMissing = error instanceof ToolError && error.code === "no-such-file";
    throw isMissing ? new ToolError(error.code, `${error.message} action: "new" makes an empty notebook.`) : error;
  }
}
