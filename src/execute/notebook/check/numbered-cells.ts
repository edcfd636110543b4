import type { NotebookCell } from "../../../notebook/cell.ts";
import type { CellTimes, RunNote } from "./execution-times.ts";

/** A cell of code, with what its file says about its last run. */
export interface RanCell {
  readonly index: number;
  readonly cell: NotebookCell;
  /** The note of a cleared cell. */
  readonly count: number | null;
  readonly note: RunNote | null;
  readonly times: CellTimes | null;
  readonly isAsRun: boolean | null;
  readonly isCleared: boolean;
}

export interface Numbered {
  readonly count: number;
  readonly index: number;
}

/** The number that a kernel gave to a cell. */
type KernelNumber = Pick<RunNote, "kernel" | "count">;

export function numberName({ kernel, count }: KernelNumber): string {
  return `${count} ${kernel}`;
}

/** The first of each number. */
export function byNumber<Cell extends { readonly note: KernelNumber }>(
  cells: readonly Cell[],
): ReadonlyMap<string, Cell> {
  return new Map(cells.map((cell) => [numberName(cell.note), cell] as const).reverse());
}

/** Cells in their order, found by their numbers without a look at each: a notebook may have many. */
export class NumberedCells {
  readonly #first = new Map<string, RanCell>();
  readonly #firstUncleared = new Map<string, RanCell>();
  readonly #latestOf = new Map<string, Numbered>();
  #latest: Numbered | null = null;
  #last: RanCell | undefined;

  add(cell: RanCell): void {
    const { note, count, index } = cell;
    if (note !== null) {
      const name = numberName(note);
      if (!this.#first.has(name)) this.#first.set(name, cell);
      if (!cell.isCleared && !this.#firstUncleared.has(name)) this.#firstUncleared.set(name, cell);
    }
    if (count === null) return;
    this.#last = cell;
    if (count > (this.#latest?.count ?? 0)) this.#latest = { count, index };
    if (note !== null && count > (this.latestOf(note.kernel)?.count ?? 0))
      this.#latestOf.set(note.kernel, { count, index });
  }

  /** The last that was run. */
  get last(): RanCell | undefined {
    return this.#last;
  }

  /** The one with the highest number. */
  get latest(): Numbered | null {
    return this.#latest;
  }

  latestOf(kernel: string): Numbered | null {
    return this.#latestOf.get(kernel) ?? null;
  }

  first(number: KernelNumber): RanCell | undefined {
    return this.#first.get(numberName(number));
  }

  firstUncleared(number: KernelNumber): RanCell | undefined {
    return this.#firstUncleared.get(numberName(number));
  }
}
