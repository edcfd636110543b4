import type { NotebookCell } from "../../../notebook/cell.ts";
import { readNotebook } from "../../../notebook/file/read-notebook.ts";
import { saveNotebook } from "../../../notebook/file/save-notebook.ts";
import { updateNotebook } from "../../../notebook/file/update-notebook.ts";
import { watchFile } from "../../../support/files/watch-file.ts";
import { isGranaryError } from "../../../support/granary-error.ts";
import type { PageOutput } from "../api/cells.ts";
import type { NotebookEvent, PageEditResult, PageNotebookCell, PageNotebookEdit } from "../api/notebooks.ts";
import { type AppliedEdit, applyPageEdit } from "./apply-edit.ts";
import { isSameText, type KeyedCells, keyCells } from "./keyed-cells.ts";
import type { NotebookPlace } from "./notebook-place.ts";
import { newBudget, shownCell } from "./shown-cell.ts";

/** Some programs delete or empty a file before they write it: only after this time there is something to say. */
const graceMs = 1000;
const againMs = 150;
/** Deleted cells that can be put back: each keeps the file of its time in memory. */
const mostDeleted = 5;

type FileState = Extract<NotebookEvent, { type: "file" }>;
const isThere: FileState = { type: "file", state: "there", message: "" };

/** A notebook as it is in its file, for any number of readers. The file is the truth: every edit is made in it. */
export class NotebookFeed {
  readonly place: NotebookPlace;
  /** Outputs of cells that run now, by key, which are not in the file yet. */
  liveOutputs: (key: string) => readonly PageOutput[] | null = () => null;
  readonly #readers = new Set<(event: NotebookEvent) => void>();
  readonly #watched: Disposable;
  #cells: KeyedCells;
  #file = isThere;
  #unreadableSince: number | null = null;
  #again: NodeJS.Timeout | undefined;
  readonly #deleted = new Map<string, NotebookCell>();
  #turn: Promise<unknown> = Promise.resolve();

  /** @throws when there is no notebook, or it is outside of its folder */
  static async open(place: NotebookPlace): Promise<NotebookFeed> {
    return new NotebookFeed(place, keyCells(await readNotebook(place.path, { within: place.within }), null));
  }

  private constructor(place: NotebookPlace, cells: KeyedCells) {
    this.place = place;
    this.#cells = cells;
    this.#watched = watchFile(place.path, () => void this.refresh());
  }

  get cells(): KeyedCells {
    return this.#cells;
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  /** All cells, and the state of the file. The reader gets every event from now on. */
  read(reader: (event: NotebookEvent) => void): {
    readonly cells: readonly PageNotebookCell[];
    readonly file: FileState;
    readonly stop: () => void;
  } {
    this.#readers.add(reader);
    const budget = newBudget();
    const { notebook, keys } = this.#cells;
    const cells = notebook.cells.map((cell, index) => this.#shown(keys[index] as string, cell, budget));
    return { cells, file: this.#file, stop: () => void this.#readers.delete(reader) };
  }

  tell(event: NotebookEvent): void {
    for (const reader of this.#readers) reader(event);
  }

  /** Reads the file again, and tells what has changed. */
  refresh(): Promise<void> {
    return this.#inTurn(async () => {
      const { path, within } = this.place;
      await readNotebook(path, { within })
        .then((notebook) => this.#take(notebook))
        .catch((error: Error) => this.#explain(error));
    });
  }

  /** Makes an edit in the file. @param by the browser tab, whose own changes need no mark there */
  edit(edit: PageNotebookEdit, by: string | null): Promise<PageEditResult> {
    return this.#inTurn(async () => {
      const { path, within } = this.place;
      const edits: AppliedEdit[] = [];
      const change = (read: KeyedCells["notebook"]): KeyedCells["notebook"] => {
        const applied = applyPageEdit(keyCells(read, this.#cells), edit, this.#deleted);
        edits.push(applied);
        return applied.notebook;
      };
      const notebook = await updateNotebook(path, change, { within });
      const { keys, result, deleted } = edits.at(-1) as AppliedEdit;
      if (edit.action === "delete" && deleted !== null) this.#deleted.set(edit.cell, deleted);
      for (const key of [...this.#deleted.keys()].slice(0, -mostDeleted)) this.#deleted.delete(key);
      this.#take(notebook, keys, by);
      return result;
    });
  }

  /** Writes a notebook again that another program has deleted. */
  saveAgain(): Promise<void> {
    return this.#inTurn(async () => {
      const { path, within } = this.place;
      const origin = { path, content: null };
      this.#take(await saveNotebook({ ...this.#cells.notebook, origin }, { path, within }));
    });
  }

  close(): void {
    this.#watched[Symbol.dispose]();
    clearTimeout(this.#again);
  }

  #take(notebook: KeyedCells["notebook"], keys?: readonly string[], by: string | null = null): void {
    const before = new Map(this.#cells.keys.map((key, index) => [key, this.#cells.notebook.cells[index]]));
    const order = this.#cells.keys;
    this.#cells = keys === undefined ? keyCells(notebook, this.#cells) : { notebook, keys };
    this.#unreadableSince = null;
    this.#setFile(isThere);
    const budget = newBudget();
    const changed = this.#cells.keys.flatMap((key, index) => {
      const cell = notebook.cells[index] as NotebookCell;
      const old = before.get(key);
      return old !== undefined && isSameText(old, cell) ? [] : [this.#shown(key, cell, budget)];
    });
    const isInOrder =
      order.length === this.#cells.keys.length && order.every((key, at) => key === this.#cells.keys[at]);
    if (changed.length > 0 || !isInOrder) this.tell({ type: "change", order: this.#cells.keys, cells: changed, by });
  }

  #shown(key: string, cell: NotebookCell, budget: ReturnType<typeof newBudget>): PageNotebookCell {
    const shown = shownCell(key, cell, budget);
    const live = this.liveOutputs(key);
    return live === null ? shown : { ...shown, outputs: live };
  }

  #explain(error: Error): void {
    const now = performance.now();
    this.#unreadableSince ??= now;
    const state = isGranaryError(error, "missing-file") ? "deleted" : "unreadable";
    if (now - this.#unreadableSince >= graceMs) this.#setFile({ type: "file", state, message: error.message });
    clearTimeout(this.#again);
    const wait = this.#file.state === "there" ? againMs : graceMs;
    this.#again = setTimeout(() => void this.refresh(), wait).unref();
  }

  #setFile(file: FileState): void {
    if (file.state === this.#file.state && file.message === this.#file.message) return;
    this.#file = file;
    this.tell(file);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}
