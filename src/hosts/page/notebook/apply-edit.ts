import { type CellType, cellTypes, type NotebookCell } from "../../../notebook/cell.ts";
import { withCellInserted } from "../../../notebook/edit/cell-list.ts";
import type { NotebookEdit } from "../../../notebook/edit/edit-action.ts";
import { editNotebook } from "../../../notebook/edit/edit-notebook.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import type { PageEditResult, PageNotebookEdit } from "../api/notebooks.ts";
import { type KeyedCells, newCellKey, revisionOf } from "./keyed-cells.ts";

export interface AppliedEdit extends KeyedCells {
  /** The cell that it deleted; null for none. */
  readonly deleted: NotebookCell | null;
  readonly result: PageEditResult;
}

type EditedCell = Omit<PageEditResult, "revision">;

/**
 * Makes an edit of the page in the version that is in the file now. Where another program changed the source of the same
 * cell since, both versions are kept.
 *
 * @param deleted the cells that can be put back
 */
export function applyPageEdit(
  cells: KeyedCells,
  edit: PageNotebookEdit,
  deleted: ReadonlyMap<string, NotebookCell>,
): AppliedEdit {
  const page = new PageEditing(cells);
  const { cell, conflict } = page.apply(edit, deleted);
  const edited = page.notebook.cells[cell === null ? -1 : page.keys.indexOf(cell)];
  const revision = edited === undefined ? null : revisionOf(edited);
  const { notebook, keys, removed } = page;
  return { notebook, keys, deleted: removed, result: { cell, revision, conflict } };
}

class PageEditing {
  notebook: KeyedCells["notebook"];
  keys: readonly string[];
  removed: NotebookCell | null = null;

  constructor({ notebook, keys }: KeyedCells) {
    this.notebook = notebook;
    this.keys = keys;
  }

  apply(edit: PageNotebookEdit, deleted: ReadonlyMap<string, NotebookCell>): EditedCell {
    switch (edit.action) {
      case "edit":
        return this.#rewrite(edit);
      case "insert":
        return done(this.#insert(this.#placeAfter(edit.after), edit.cellType, edit.content));
      case "delete":
        this.#remove(edit.cell, edit.revision);
        return done(null);
      case "put-back":
        return done(this.#putBack(edit.cell, deleted.get(edit.cell), this.#placeAfter(edit.after)));
      case "move": {
        const from = this.#indexOf(edit.cell);
        const after = this.#placeAfter(edit.after);
        const to = after > from ? after - 1 : after;
        this.#make({ action: "move", cell: from, to });
        this.keys = this.keys.toSpliced(from, 1).toSpliced(to, 0, edit.cell);
        return done(edit.cell);
      }
      case "type":
        this.#make({
          ...{ action: "type", cell: this.#indexOf(edit.cell, edit.revision), cellType: edit.cellType },
        });
        return done(edit.cell);
      case "clear":
        this.#make(edit.cell === undefined ? { action: "clear" } : { action: "clear", cell: this.#indexOf(edit.cell) });
        return done(edit.cell ?? null);
      case "resolve":
        return this.#resolve(edit);
      default:
        throw new GranaryError("invalid-action", `There is no action ${JSON.stringify(edit satisfies never)}.`);
    }
  }

  /** As the terminal view does: theirs stays, and ours becomes a cell of its own below. */
  #rewrite(edit: Extract<PageNotebookEdit, { action: "edit" }>): EditedCell {
    const { cell: key, revision, content, cellType } = edit;
    const index = this.keys.indexOf(key);
    const theirs = this.notebook.cells[index];
    if (theirs === undefined) {
      const mine = this.#insert(this.#placeAfter(edit.after), cellType, content);
      return { cell: mine, conflict: { theirs: null } };
    }
    if (theirs.source === content) return done(key);
    if (revisionOf(theirs) !== revision) {
      return { cell: this.#insert(index + 1, cellType, content), conflict: { theirs: key } };
    }
    this.#make({ action: "edit", cell: index, content });
    return done(key);
  }

  #resolve({ mine, theirs, keep }: Extract<PageNotebookEdit, { action: "resolve" }>): EditedCell {
    const from = this.notebook.cells[this.#indexOf(mine.cell, mine.revision)] as NotebookCell;
    const to = this.#indexOf(theirs.cell, theirs.revision);
    if (keep === "mine") {
      if (from.type !== "unknown") this.#make({ action: "type", cell: to, cellType: from.type });
      this.#make({ action: "edit", cell: to, content: from.source });
    }
    this.#remove(mine.cell, mine.revision);
    return done(theirs.cell);
  }

  #remove(key: string, revision: string): void {
    const index = this.#indexOf(key, revision);
    this.removed = this.notebook.cells[index] ?? null;
    this.#make({ action: "delete", cell: index });
    this.keys = this.keys.toSpliced(index, 1);
  }

  #insert(at: number, cellType: CellType, content: string): string {
    if (!cellTypes.includes(cellType)) throw new GranaryError("invalid-cell-type", `There is no type ${cellType}.`);
    this.#make({ action: "insert", at, cellType, content });
    const key = newCellKey(this.notebook.cells[at] as NotebookCell, new Set(this.keys));
    this.keys = this.keys.toSpliced(at, 0, key);
    return key;
  }

  #putBack(key: string, cell: NotebookCell | undefined, at: number): string {
    const { cells } = this.notebook;
    if (cell === undefined || this.keys.includes(key)) throw new GranaryError("unknown-id", notDeleted);
    // Another program may have put a cell with the same id there.
    if (cell.type !== "unknown" && cell.id !== null && cells.some(({ id }) => id === cell.id)) {
      return this.#insert(at, cell.type, cell.source);
    }
    this.notebook = withCellInserted(this.notebook, at, cell);
    this.keys = this.keys.toSpliced(at, 0, key);
    return key;
  }

  #make(edit: NotebookEdit): void {
    this.notebook = editNotebook(this.notebook, [edit]).notebook;
  }

  /** Null is the place before all others. After a cell that is gone, a new one comes last, where it is seen. */
  #placeAfter(key: string | null): number {
    if (key === null) return 0;
    const index = this.keys.indexOf(key);
    return index === -1 ? this.keys.length : index + 1;
  }

  #indexOf(key: string, revision?: string): number {
    const index = this.keys.indexOf(key);
    const cell = this.notebook.cells[index];
    if (cell === undefined) {
      throw new GranaryError("unknown-id", "Another program has deleted this cell. Nothing was changed.");
    }
    if (revision === undefined || revisionOf(cell) === revision) return index;
    const sentence = "Another program has changed this cell since. Nothing was changed; look at it and try again.";
    throw new GranaryError("stale-revision", sentence);
  }
}

const notDeleted = "There is no deleted cell to put back. It is in the notebook, or the hub was restarted.";

function done(cell: string | null): EditedCell {
  return { cell, conflict: null };
}
