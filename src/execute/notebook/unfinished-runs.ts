import type { CellAddress } from "../../notebook/edit/address.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import type { SharedSession } from "../../session/shared-session.ts";
import type { NotebookRun } from "./notebook-run.ts";

interface UnfinishedRun {
  readonly path: string;
  /** The kernel that has the variables of the cells before. */
  readonly generation: number;
  readonly index: number;
  readonly id: string | null;
  /** Whether the run stopped at a later cell, and a crash undid those from here on. */
  readonly isUndone?: boolean;
}

/** The kernel that a run left. */
export interface KernelLeft {
  /** Null when no cell ran. */
  readonly generation: number | null;
  /** The number of its last cell before the run. */
  readonly countBefore: number;
  /** The number of the last cell whose effects are there after a crash in the run's last cell; null without a crash. */
  readonly restoredTo: number | null;
}

/** Kernels count from 1. */
export const goneGeneration = 0;

/** The first cell whose effects are not in the variables. A crash may have undone cells before the one that failed. */
export function placeAfter(
  { cells, failed, failure }: NotebookRun & { readonly failed: object },
  { generation, countBefore, restoredTo }: KernelLeft,
): Pick<UnfinishedRun, "index" | "id" | "isUndone"> & { readonly generation?: number } {
  const { index, id } = failed;
  const place = { index, id, ...(generation !== null && { generation }) };
  // The failed cell ran without the variables of the cells before.
  if (failure?.code === "kernel-restarted") return { ...place, generation: goneGeneration };
  if (restoredTo === null) return place;
  if (restoredTo < countBefore) return { ...place, generation: goneGeneration };
  const undone = cells.find(({ executionCount }) => executionCount !== null && executionCount > restoredTo);
  if (undone === undefined || undone.index >= index) return place;
  return { ...place, index: undone.index, id: undone.id, isUndone: true };
}

/** Where runs stopped, for as long as their sessions live. */
const unfinished = new WeakMap<SharedSession, UnfinishedRun>();

/** Of the session's current kernel by default. */
export function rememberUnfinished(
  session: SharedSession,
  run: Omit<UnfinishedRun, "generation"> & { readonly generation?: number },
): void {
  unfinished.set(session, { generation: session.generation, ...run });
}

export function forgetUnfinished(session: SharedSession): void {
  unfinished.delete(session);
}

/** The cell to continue with; or why a run has to begin at the start. */
export function placeToResume(
  session: SharedSession,
  path: string,
  notebook: Notebook,
): { readonly from: CellAddress; readonly notice: string | null } | { readonly whyNot: string } {
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
  const notice = run.isUndone ? `A crash undid the cells from ${index} on: the run resumes at cell ${index}.` : null;
  return { from: index, notice };
}
