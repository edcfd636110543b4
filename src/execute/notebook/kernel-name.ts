import { createHash, randomUUID } from "node:crypto";
import type { KernelInfo } from "../../kernel/kernel.ts";
import type { NotebookCell } from "../../notebook/cell.ts";
import { identityOf } from "../../support/process/process-identity.ts";
import { type RunNote, runNote } from "./check/execution-times.ts";

const names = new WeakMap<KernelInfo, string>();

/** Names a kernel in the notes of its cells: the same in a later process that resumes it. */
function kernelName(kernel: KernelInfo): string {
  const known = names.get(kernel);
  if (known !== undefined) return known;
  const { began = null } = kernel.pid === null ? {} : identityOf(kernel.pid);
  const identity = began === null ? randomUUID() : `${kernel.pid} ${began}`;
  const name = createHash("sha256").update(identity).digest("hex").slice(0, 12);
  names.set(kernel, name);
  return name;
}

/** The note on a cell that a kernel has run. */
export function noteOf(kernel: KernelInfo | null, count: number | null, above: Iterable<NotebookCell>): RunNote | null {
  if (kernel === null || count === null) return null;
  const name = kernelName(kernel);
  let before: number | null = null;
  for (const cell of above) {
    const note = cell.type === "code" ? runNote(cell) : null;
    if (note?.kernel === name && note.count < count) before = Math.max(note.count, before ?? 0);
  }
  return { kernel: name, count, before };
}
