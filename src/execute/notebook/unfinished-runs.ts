import type { CellAddress } from "../../notebook/edit/address.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import type { SharedSession } from "../../session/shared-session.ts";

interface UnfinishedRun {
  readonly path: string;
  /** The kernel that has the variables of the cells before. */
  readonly generation: number;
  readonly index: number;
  readonly id: string | null;
}

/** Where runs stopped, for as long as their sessions live. */
const unfinished = new WeakMap<SharedSession, UnfinishedRun>();

/** @param generation of its kernel: the session's current one by default */
export function rememberUnfinished(
  session: SharedSession,
  run: Omit<UnfinishedRun, "generation">,
  generation = session.generation,
): void {
  unfinished.set(session, { ...run, generation });
}

export function forgetUnfinished(session: SharedSession): void {
  unfinished.delete(session);
}

/** The cell to continue with; or why a run has to begin at the start. */
export function placeToResume(
  session: SharedSession,
  path: string,
  notebook: Notebook,
): { readonly from: CellAddress } | { readonly whyNot: string } {
  const run = unfinished.get(session);
  if (run === undefined) {
    return { whyNot: `There is nothing to resume: no run of a notebook has stopped in the session ${session.id}.` };
  }
  if (run.path !== path) return { whyNot: `The run that stopped in the session ${session.id} was of ${run.path}.` };
  if (session.kernel === null || session.generation !== run.generation) {
    return { whyNot: "The kernel of the run that stopped is gone, and with it the variables of the cells before." };
  }
  const index = run.id === null ? run.index : notebook.cells.findIndex(({ id }) => id === run.id);
  if (index === -1 || index >= notebook.cells.length) return { whyNot: "The cell that stopped the run is gone." };
  return { from: index };
}
