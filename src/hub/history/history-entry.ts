import type { LineMove } from "../../session/checkpoints/cell-line.ts";
import type { ExecutionStatus } from "../../session/execution/execution.ts";
import { isStillRunning, type ProcessIdentity } from "../../support/process/process-identity.ts";
import type { HistoryCell } from "./history-cell.ts";

/** A line of a history: a cell, or what became of cells. */
export type HistoryEntry = HistoryCell | HistoryMark;

/** Work of a session that is no cell, such as an undo; its id would be missing between those of cells. */
export interface HistoryAct {
  readonly mark: "act";
  readonly id: string;
  readonly by: string;
  readonly at: string;
  /** `undo`, `restart`, `branch a`, `keep a` */
  readonly title: string;
  readonly status: ExecutionStatus;
}

/** By the ids of cells; those of cells that come later in the file count as well. */
type HistoryMark =
  | HistoryAct
  | { readonly mark: "undone"; readonly by: LineMove; readonly cells: readonly string[]; readonly at: string }
  /** Cells that were undone are back. */
  | { readonly mark: "live"; readonly cells: readonly string[]; readonly at: string }
  /** A fresh Python began here: the variables of cells before this line are gone. */
  | { readonly mark: "restart"; readonly at: string }
  /** A long cell has begun; its end is a cell of the same id. Without one, it was lost with the hub. */
  | HistoryBeginning
  /** The session began here as a branch of another: cells before this line are those of an earlier session of its name. */
  | { readonly mark: "branch"; readonly of: string; readonly at: string };

interface HistoryBeginning extends Pick<HistoryCell, "id" | "by" | "at" | "code" | "title"> {
  readonly mark: "begun";
  /** The process that runs it. */
  readonly hub: ProcessIdentity;
}

/** The cells in the order in which they ran, each with what became of it. A cell that comes twice counts once, where it comes last. */
export function cellsOfEntries(entries: readonly HistoryEntry[]): readonly HistoryCell[] {
  const cells = new Map<string, HistoryCell>();
  const undone = new Map<string, LineMove>();
  for (const entry of entries) {
    if (!("mark" in entry)) {
      const { undone: by, ...cell } = entry;
      cells.delete(cell.id);
      cells.set(cell.id, cell);
      if (by !== undefined) undone.set(cell.id, by);
    } else if (entry.mark === "act") continue;
    else if (entry.mark === "begun") {
      const lost = lostCell(entry);
      if (lost !== null) cells.set(entry.id, lost);
    } else if (entry.mark === "undone") for (const id of entry.cells) undone.set(id, entry.by);
    else if (entry.mark === "live") for (const id of entry.cells) undone.delete(id);
    else {
      const by = entry.mark === "branch" ? "fork" : "restart";
      for (const id of cells.keys()) if (!undone.has(id)) undone.set(id, by);
    }
  }
  return [...cells.values()].map((cell) => {
    const by = undone.get(cell.id);
    return by === undefined ? cell : { ...cell, undone: by };
  });
}

/** Null while the hub that runs the cell is alive. An entry with the cell's end comes later, and replaces this one. */
function lostCell({ mark: _, hub, ...cell }: HistoryBeginning): HistoryCell | null {
  if (isStillRunning(hub)) return null;
  const failure = { code: "hub-gone" as const, message: "The hub ended while this cell was running." };
  return {
    ...cell,
    status: "failed",
    durationMs: 0,
    executionCount: null,
    generation: 0,
    undone: "crash",
    failure,
    outputs: [],
  };
}

export function actsOfEntries(entries: readonly HistoryEntry[]): readonly HistoryAct[] {
  return entries.filter((entry) => "mark" in entry && entry.mark === "act") as readonly HistoryAct[];
}

/** Cells with the acts between and after them: ids count up over both. */
export function withActs(
  cells: readonly HistoryCell[],
  acts: readonly HistoryAct[],
): readonly (HistoryCell | HistoryAct)[] {
  const start = cells[0] === undefined ? 0 : numberOf(cells[0].id);
  const left = acts.filter(({ id }) => numberOf(id) > start);
  const merged = cells.flatMap((cell) => {
    const count = left.findIndex(({ id }) => numberOf(id) > numberOf(cell.id));
    return [...left.splice(0, count === -1 ? left.length : count), cell];
  });
  return [...merged, ...left];
}

function numberOf(id: string): number {
  return Number(id.slice("run-".length));
}
