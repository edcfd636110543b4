import { randomBytes } from "node:crypto";
import type { Notebook } from "../notebook.ts";

/** Makes ids for new cells; nbformat 4.5 requires unique ones. */
export type MakeId = () => string;

/** Eight hexadecimal digits, as other writers use; never eight decimal ones, which would look like an index. */
export const randomId: MakeId = () => {
  const id = randomBytes(4).toString("hex");
  return /[a-f]/.test(id) ? id : randomId();
};

/** Distinct ids that no cell of this notebook has. */
export function unusedIds({ cells }: Notebook, makeId: MakeId): MakeId {
  // Read lazily: most edits need no new id.
  let taken: Set<string | null> | null = null;
  return () => {
    taken ??= new Set(cells.map((cell) => cell.id));
    let id = makeId();
    while (taken.has(id)) id = makeId();
    taken.add(id);
    return id;
  };
}

export function isValidId(id: unknown): id is string {
  return typeof id === "string" && /^[a-zA-Z0-9_-]{1,64}$/.test(id);
}
