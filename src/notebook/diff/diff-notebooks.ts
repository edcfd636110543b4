import type { FoundCellType, NotebookCell } from "../cell.ts";
import type { Notebook } from "../notebook.ts";
import { alignCells } from "./align-cells.ts";
import { outputText } from "./output-text.ts";

/** A cell that differs between two versions of a notebook. */
export interface CellChange {
  readonly change: "added" | "removed" | "changed" | "moved";
  /** Its old and new index; null where a version lacks it. */
  readonly before: number | null;
  readonly after: number | null;
  readonly id: string | null;
  /** Its type; for a removed cell, its last type. */
  readonly type: FoundCellType;
  /** Null when it is unchanged. */
  readonly typeChange: TextChange | null;
  readonly source: TextChange | null;
  /** Outputs as text, pictures by size and hash. */
  readonly outputs: TextChange | null;
  readonly tags: TextChange | null;
}

export interface TextChange {
  readonly was: string;
  readonly is: string;
}

export interface DiffOptions {
  /** Whether outputs count; true by default. */
  readonly outputs?: boolean;
}

/** The cells that differ, in the order of the later version. */
export function diffNotebooks(before: Notebook, after: Notebook, options: DiffOptions = {}): readonly CellChange[] {
  const pairs = alignCells(before, after);
  const moved = movedCells(pairs.flatMap((pair) => (pair.before === null || pair.after === null ? [] : [pair.before])));
  return pairs.flatMap((pair) => {
    const was = pair.before === null ? null : (before.cells[pair.before] as NotebookCell);
    const is = pair.after === null ? null : (after.cells[pair.after] as NotebookCell);
    const change = changeOf(was, is, options);
    const kind = was === null ? "added" : is === null ? "removed" : change.isChanged ? "changed" : "moved";
    if (kind === "moved" && !moved.has(pair.before as number)) return [];
    const { id, type } = (is ?? was) as NotebookCell;
    const { isChanged: _, ...changes } = change;
    return [{ change: kind, before: pair.before, after: pair.after, id, type, ...changes }];
  });
}

function changeOf(was: NotebookCell | null, is: NotebookCell | null, { outputs = true }: DiffOptions) {
  const typeChange = was === null || is === null ? null : textChange(was.type, is.type);
  const source = textChange(was?.source ?? "", is?.source ?? "");
  const tags = textChange(was?.tags.join(", ") ?? "", is?.tags.join(", ") ?? "");
  const shown = outputs ? textChange(outputsOf(was), outputsOf(is)) : null;
  const isChanged = typeChange !== null || source !== null || tags !== null || shown !== null;
  return { typeChange, source, outputs: shown, tags, isChanged };
}

function outputsOf(cell: NotebookCell | null): string {
  return cell?.hasOutputs ? cell.outputs.map(outputText).join("") : "";
}

function textChange(was: string, is: string): TextChange | null {
  return was === is ? null : { was, is };
}

/** Cells outside of the longest run that kept its order. */
function movedCells(order: readonly number[]): ReadonlySet<number> {
  const ends: number[] = []; // ends[n]: the position in `order` at which the best run of n + 1 cells ends
  const previous: (number | undefined)[] = [];
  for (const [position, cell] of order.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((order[ends[middle] as number] as number) < cell) low = middle + 1;
      else high = middle;
    }
    previous[position] = ends[low - 1];
    ends[low] = position;
  }
  const stayed = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) stayed.add(order[at] as number);
  return new Set(order.filter((cell) => !stayed.has(cell)));
}
