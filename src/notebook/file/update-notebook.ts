import { whileLocked } from "../../support/files/locked-file.ts";
import { isGranaryError } from "../../support/granary-error.ts";
import type { Notebook } from "../notebook.ts";
import { refuseOldVersion } from "../parse/check-version.ts";
import { type ReadNotebookOptions, readNotebook } from "./read-notebook.ts";
import { saveLocked } from "./save-notebook.ts";

/** Other programs save now and then; after this many lost races the other writer is assumed to never stop. */
const attempts = 20;

export interface UpdateOptions extends ReadNotebookOptions {
  /** Replaces a file of an older nbformat by nbformat 4; otherwise such a file is refused. */
  readonly upgrades?: boolean;
}

/**
 * Reads a notebook, changes it and saves it, exclusive among Granary's processes. When another program saves the
 * file in between, `change` is called again with the new content.
 */
export function updateNotebook(
  path: string,
  change: (notebook: Notebook) => Notebook | Promise<Notebook>,
  options: UpdateOptions = {},
): Promise<Notebook> {
  const { signal, within } = options;
  return whileLocked(path, { signal, within }, () => updateLocked(path, change, options));
}

/** `updateNotebook` for a caller that already holds the file's lock. */
export function updateLocked(
  path: string,
  change: (notebook: Notebook) => Notebook | Promise<Notebook>,
  { upgrades = false, ...options }: UpdateOptions = {},
): Promise<Notebook> {
  const { signal, within } = options;
  return retryWhenOvertaken(async () => {
    const read = await readNotebook(path, { ...options, isLocked: true });
    if (!upgrades) refuseOldVersion(read);
    const changed = await change(read);
    return saveLocked(changed, { within, ...(signal !== undefined && { signal }) });
  });
}

/** Repeats a read and save as long as another program's save comes in between. */
async function retryWhenOvertaken<T>(attempt: () => Promise<T>): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await attempt();
    } catch (error) {
      const isOvertaken = isGranaryError(error, "changed-on-disk");
      if (!isOvertaken || number === attempts) throw error;
    }
  }
}
