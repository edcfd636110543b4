import { withKernelMetadata } from "../../execute/notebook/kernel-metadata.ts";
import type { KernelInfo } from "../../kernel/kernel.ts";
import { editNotebook } from "../../notebook/edit/edit-notebook.ts";
import { withOutputs } from "../../notebook/edit/write-outputs.ts";
import { saveNotebook } from "../../notebook/file/save-notebook.ts";
import { newNotebook } from "../../notebook/new-notebook.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import type { RunRecord } from "./run-records.ts";

export interface SaveSessionOptions {
  readonly kernel: KernelInfo | null;
  readonly overwrite: boolean;
  /** Folders that the file must be in, wherever links lead; null for any. */
  readonly within: readonly string[] | null;
}

/** Saves a session, repeatedly if asked; never overwrites a file that another program has made or changed, unless asked to. */
export class SessionFiles {
  readonly #saved = new Map<string, Notebook>();

  async save(
    records: readonly RunRecord[],
    path: string,
    { kernel, overwrite, within }: SaveSessionOptions,
  ): Promise<void> {
    const notebook = sessionNotebook(records, path, kernel);
    const before = this.#saved.get(path);
    const followed = before === undefined ? notebook : { ...notebook, origin: before.origin };
    this.#saved.set(path, await saveNotebook(followed, { overwrite, within }));
  }
}

/** The session's cells and outputs as a notebook. */
function sessionNotebook(records: readonly RunRecord[], path: string, kernel: KernelInfo | null): Notebook {
  const edits = records.map(({ code }) => ({ action: "insert" as const, content: code }));
  let { notebook } = editNotebook(newNotebook({ path }), edits);
  for (const [index, { outputs, executionCount }] of records.entries()) {
    notebook = withOutputs(notebook, index, { outputs, executionCount });
  }
  return kernel === null ? notebook : withKernelMetadata(notebook, kernel);
}
