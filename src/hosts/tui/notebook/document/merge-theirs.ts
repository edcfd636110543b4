import type { NotebookCell } from "../../../../notebook/cell.ts";
import { randomId, unusedIds } from "../../../../notebook/edit/cell-id.ts";
import { withCellAt, withCellInserted, withCellRemoved } from "../../../../notebook/edit/cell-list.ts";
import { withSource, withType } from "../../../../notebook/edit/change-cell.ts";
import { newCell } from "../../../../notebook/edit/new-cell.ts";
import { outputsDiffer, withOutputs } from "../../../../notebook/edit/write-outputs.ts";
import { hasCellIds, type Notebook } from "../../../../notebook/notebook.ts";
import { asOutput } from "../../../../notebook/output.ts";
import { type CellKey, cellsByKey, type KeyedNotebook, newKey, saysTheSame } from "./keyed-notebook.ts";

export interface Merged extends KeyedNotebook {
  /** The keys of the cells in their file. */
  readonly theirKeys: readonly CellKey[];
  /** Cells that both sides changed: ours becomes a separate cell below theirs. */
  readonly rewrittenByBoth: readonly CellKey[];
}

/**
 * Merges a version saved by another program with the edits made here since the common base; no text is lost.
 * Cells follow their order. Our new cells are inserted where they were, and cells deleted here are removed unless they
 * changed them.
 */
export function mergeTheirs(base: KeyedNotebook, ours: KeyedNotebook, theirs: Notebook): Merged {
  const before = cellsByKey(base);
  const merge = new Merge({ notebook: theirs, keys: recognised(base, theirs) });
  const after = cellsByKey(ours);
  for (const [key, old] of before) {
    const mine = after.get(key);
    if (mine === undefined) merge.remove(key, old);
    else if (!saysTheSame(mine, old)) merge.rewrite(key, old, mine);
  }
  for (const [index, key] of ours.keys.entries()) {
    const mine = after.get(key) as NotebookCell;
    const previous = ours.keys[index - 1] ?? null;
    // A cell changed here and deleted there is kept.
    const old = before.get(key);
    if (old === mine) continue;
    if (old === undefined || (!saysTheSame(mine, old) && !merge.has(key))) merge.insertAfter(previous, key, mine);
    merge.keepOutputs(key, mine);
  }
  return merge.result;
}

/** Matches their cells with ours. */
function recognised({ notebook, keys }: KeyedNotebook, theirs: Notebook): CellKey[] {
  const byName = new Map<string, CellKey[]>();
  for (const [index, cell] of notebook.cells.entries()) {
    for (const name of namesOf(cell)) byName.set(name, [...(byName.get(name) ?? []), keys[index] as CellKey]);
  }
  const taken = new Set<CellKey>();
  return theirs.cells.map((cell) => {
    const candidates = namesOf(cell).flatMap((name) => byName.get(name) ?? []);
    const key = candidates.find((candidate) => !taken.has(candidate)) ?? newKey();
    taken.add(key);
    return key;
  });
}

/** Cells match by id; without ids, by source. */
function namesOf(cell: NotebookCell): string[] {
  return [cell.id === null ? `says ${cell.type} ${cell.source}` : `id ${cell.id}`];
}

class Merge {
  #notebook: Notebook;
  #keys: CellKey[];
  readonly #theirKeys: CellKey[];
  readonly #byBoth: CellKey[] = [];

  constructor({ notebook, keys }: KeyedNotebook) {
    this.#notebook = notebook;
    this.#keys = [...keys];
    this.#theirKeys = [...keys];
  }

  get result(): Merged {
    const rewrittenByBoth = this.#byBoth;
    return { notebook: this.#notebook, keys: this.#keys, theirKeys: this.#theirKeys, rewrittenByBoth };
  }

  has(key: CellKey): boolean {
    return this.#keys.includes(key);
  }

  /** Keeps what they have changed since. */
  remove(key: CellKey, old: NotebookCell): void {
    const index = this.#keys.indexOf(key);
    const theirs = this.#notebook.cells[index];
    if (theirs === undefined || !saysTheSame(theirs, old)) return;
    this.#notebook = withCellRemoved(this.#notebook, index);
    this.#keys.splice(index, 1);
  }

  rewrite(key: CellKey, old: NotebookCell, mine: NotebookCell): void {
    const index = this.#keys.indexOf(key);
    const theirs = this.#notebook.cells[index];
    if (theirs === undefined || saysTheSame(theirs, mine)) return;
    if (saysTheSame(theirs, old)) {
      const typed = mine.type === "unknown" ? theirs : withType(this.#notebook, theirs, mine.type);
      const rewritten = withSource(this.#notebook, typed, mine.source);
      this.#notebook = withCellAt(this.#notebook, index, rewritten);
    } else {
      // Theirs gets a new key; ours keeps its key, so the view stays on it.
      const theirKey = newKey();
      this.#keys[index] = theirKey;
      this.#theirKeys[this.#theirKeys.indexOf(key)] = theirKey;
      this.#byBoth.push(key);
      this.#insert(index + 1, key, mine);
    }
  }

  insertAfter(previous: CellKey | null, key: CellKey, mine: NotebookCell): void {
    // When that one is gone as well, append the cell, where the person will see it.
    const place = previous === null ? 0 : this.#keys.indexOf(previous) + 1;
    this.#insert(previous !== null && place === 0 ? this.#keys.length : place, key, mine);
  }

  /** Outputs belong to the source that produced them. */
  keepOutputs(key: CellKey, mine: NotebookCell): void {
    const index = this.#keys.indexOf(key);
    const theirs = this.#notebook.cells[index];
    if (theirs === undefined || mine.type !== "code" || !saysTheSame(theirs, mine)) return;
    const outputs = mine.outputs.map(asOutput).filter((output) => output !== null);
    const { executionCount, metadata } = mine;
    if (executionCount === theirs.executionCount && !outputsDiffer(theirs, outputs)) return;
    const times = { execution: metadata.execution };
    this.#notebook = withOutputs(this.#notebook, index, { outputs, executionCount, metadata: times });
  }

  #insert(index: number, key: CellKey, mine: NotebookCell): void {
    const isFree = mine.id === null || this.#notebook.cells.every(({ id }) => id !== mine.id);
    const type = mine.type === "unknown" ? "raw" : mine.type;
    const fresh = () => newCell(this.#notebook, type, mine.source, unusedIds(this.#notebook, randomId));
    const cell = isFree && (mine.id !== null) === hasCellIds(this.#notebook) ? mine : fresh();
    this.#notebook = withCellInserted(this.#notebook, index, cell);
    this.#keys.splice(index, 0, key);
  }
}
