import { NotebookError } from "../errors.ts";
import type { Notebook } from "../notebook.ts";
import { type ReadOptions, readNotebook } from "./read-notebook.ts";
import { saveNotebook } from "./save-notebook.ts";

/** Others save now and then; whoever loses this often is up against something that never stops. */
const attempts = 20;

/**
 * Reads a notebook, changes it and saves it. When somebody else saves the file in between, it is read again and
 * `change` is called again, with what they left: so it has to find its cells anew, best by id.
 */
export async function updateNotebook(
  path: string,
  change: (notebook: Notebook) => Notebook | Promise<Notebook>,
  options: ReadOptions = {},
): Promise<Notebook> {
  for (let attempt = 1; ; attempt++) {
    const changed = await change(await readNotebook(path, options));
    try {
      return await saveNotebook(changed, options.signal === undefined ? {} : { signal: options.signal });
    } catch (error) {
      const isOvertaken = error instanceof NotebookError && error.code === "changed-on-disk";
      if (!isOvertaken || attempt === attempts) throw error;
    }
  }
}
