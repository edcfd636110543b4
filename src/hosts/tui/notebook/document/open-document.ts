import { basename } from "node:path";
import type { CellType, NotebookCell } from "../../../../notebook/cell.ts";
import type { NotebookEdit } from "../../../../notebook/edit/edit-action.ts";
import { editNotebook } from "../../../../notebook/edit/edit-notebook.ts";
import { type CellRun, withOutputs } from "../../../../notebook/edit/write-outputs.ts";
import { isContentOf } from "../../../../notebook/file/file-content.ts";
import { readNotebook } from "../../../../notebook/file/read-notebook.ts";
import { saveLocked } from "../../../../notebook/file/save-notebook.ts";
import type { Notebook } from "../../../../notebook/notebook.ts";
import { asOutput, type NotebookOutput } from "../../../../notebook/output.ts";
import { whileLocked } from "../../../../support/files/locked-file.ts";
import { isGranaryError } from "../../../../support/granary-error.ts";
import { type CellKey, cellsByKey, type KeyedNotebook, newKey, saysTheSame, withKeys } from "./keyed-notebook.ts";
import { mergeTheirs } from "./merge-theirs.ts";

/** A change of the file by another program: saved or deleted. */
export interface Overtaken {
  readonly by: "theirs" | "deletion";
  /** Cells that both sides changed: ours becomes a separate cell below theirs. */
  readonly rewrittenByBoth: readonly CellKey[];
}

/** Longer than a person remembers. */
const mostUndo = 200;

/** After this many lost races, the other writer is assumed to never stop. */
const attempts = 20;

/**
 * An open notebook: the file's content, the edits, and their undo history. Other programs may save
 * the file at the same time; their changes are merged, never overwritten.
 */
export class OpenDocument {
  readonly path: string;
  readonly #within: readonly string[] | null;
  /** The file's content when it was last read. */
  #onDisk: KeyedNotebook;
  #now: KeyedNotebook;
  #past: KeyedNotebook[] = [];
  readonly #outputs = new WeakMap<NotebookCell, readonly NotebookOutput[]>();
  #turn: Promise<unknown> = Promise.resolve();
  #turns = 0;

  /** @param within folders that the file must be in, wherever links lead; null for any */
  static async open(
    path: string,
    signal?: AbortSignal,
    within: readonly string[] | null = null,
  ): Promise<OpenDocument> {
    const read = await readNotebook(path, { within, ...(signal !== undefined && { signal }) });
    return new OpenDocument(read, within);
  }

  private constructor(notebook: Notebook, within: readonly string[] | null) {
    this.path = notebook.origin?.path ?? "";
    this.#within = within;
    this.#onDisk = withKeys(notebook);
    this.#now = this.#onDisk;
  }

  get name(): string {
    return basename(this.path);
  }

  get notebook(): Notebook {
    return this.#now.notebook;
  }

  get cells(): readonly NotebookCell[] {
    return this.#now.notebook.cells;
  }

  get keys(): readonly CellKey[] {
    return this.#now.keys;
  }

  get hasUnsaved(): boolean {
    return this.#now !== this.#onDisk;
  }

  cell(key: CellKey): NotebookCell | undefined {
    return this.cells[this.indexOf(key)];
  }

  /** -1 when the cell is gone. */
  indexOf(key: CellKey): number {
    return this.keys.indexOf(key);
  }

  /** A cell's outputs, parsed once. */
  outputs(cell: NotebookCell): readonly NotebookOutput[] {
    const known = this.#outputs.get(cell);
    if (known !== undefined) return known;
    const outputs = cell.outputs.map(asOutput).filter((output) => output !== null);
    this.#outputs.set(cell, outputs);
    return outputs;
  }

  insert(at: number, cellType: CellType, content: string): CellKey {
    const key = newKey();
    this.#edit({ action: "insert", at, cellType, content }, this.keys.toSpliced(at, 0, key));
    return key;
  }

  remove(key: CellKey): void {
    const cell = this.indexOf(key);
    if (cell !== -1) this.#edit({ action: "delete", cell }, this.keys.toSpliced(cell, 1));
  }

  move(key: CellKey, to: number): void {
    const cell = this.indexOf(key);
    if (cell === -1 || to < 0 || to >= this.keys.length) return;
    this.#edit({ action: "move", cell, to }, this.keys.toSpliced(cell, 1).toSpliced(to, 0, key));
  }

  setType(key: CellKey, cellType: CellType): void {
    const cell = this.indexOf(key);
    if (cell !== -1) this.#edit({ action: "type", cell, cellType });
  }

  /**
   * Sets a cell's source. When another program has changed it since `before` was read, theirs stays, and this source
   * becomes a separate cell below; a deleted cell comes back at `place`.
   * @returns the cell that now has the source
   */
  rewrite(
    key: CellKey,
    content: string,
    { before, place }: { readonly before: string; readonly place: number },
  ): CellKey {
    const index = this.indexOf(key);
    const cell = this.cells[index];
    if (cell === undefined) return this.insert(Math.min(place, this.cells.length), "code", content);
    if (cell.source === content || content === before) return key;
    if (cell.source !== before) return this.insert(index + 1, cell.type === "unknown" ? "raw" : cell.type, content);
    this.#edit({ action: "edit", cell: index, content });
    return key;
  }

  /** Not an edit, so it cannot be undone. */
  keepRun(key: CellKey, run: Omit<CellRun, "executionCount"> & Partial<CellRun>): void {
    const index = this.indexOf(key);
    const cell = this.cells[index];
    if (cell?.type !== "code") return;
    const { executionCount = cell.executionCount } = run;
    this.changeAll((notebook) => withOutputs(notebook, index, { ...run, executionCount }));
    // The same output objects that the view showed during the run, so that it need not prepare them again.
    this.#outputs.set(this.cells[index] as NotebookCell, run.outputs);
  }

  /** A change that moves no cells and has no undo. */
  changeAll(change: (notebook: Notebook) => Notebook): void {
    const notebook = change(this.notebook);
    if (notebook !== this.notebook) this.#now = { ...this.#now, notebook };
  }

  /** Undoes the last edit; outputs since then stay. False when there is none. */
  undo(): boolean {
    const before = this.#past.pop();
    if (before === undefined) return false;
    const now = cellsByKey(this.#now);
    const cells = before.notebook.cells.map((cell, index) => {
      const current = now.get(before.keys[index] as CellKey);
      return current !== undefined && saysTheSame(current, cell) ? current : cell;
    });
    const { frame, origin } = this.notebook;
    this.#now = { keys: before.keys, notebook: { ...before.notebook, cells, frame, origin } };
    return true;
  }

  /** Writes the file atomically, after merging changes that another program has saved. */
  save(): Promise<Overtaken | null> {
    return this.#inTurn(() => {
      const now = this.#now;
      return whileLocked(this.path, { within: this.#within }, () => this.#saveLocked(now));
    });
  }

  /** Merges changes that another program has saved; null when there are none. Throws when the file is invalid. */
  refresh(): Promise<Overtaken | null> {
    return this.#inTurn(async () => {
      const { origin } = this.#onDisk.notebook;
      if (await isContentOf(this.path, origin?.content ?? null)) return null;
      return this.#takeTheirs();
    });
  }

  /** Whether a save or a read is in progress. */
  get isBusy(): boolean {
    return this.#turns > 0;
  }

  /** Settles when it has ended. */
  async settled(): Promise<void> {
    await this.#turn;
  }

  #edit(edit: NotebookEdit, keys = this.keys): void {
    const { notebook } = editNotebook(this.notebook, [edit]);
    if (notebook === this.notebook) return;
    this.#past = [...this.#past.slice(1 - mostUndo), this.#now];
    this.#now = { notebook, keys };
  }

  async #saveLocked(first: KeyedNotebook): Promise<Overtaken | null> {
    let overtaken: Overtaken | null = null;
    let now = first;
    for (let attempt = 1; ; attempt++) {
      try {
        const { origin } = await saveLocked(now.notebook, { within: this.#within });
        this.#settle({ ...now, notebook: { ...now.notebook, origin } }, now);
        return overtaken;
      } catch (error) {
        const isOvertaken = isGranaryError(error, "changed-on-disk");
        if (!isOvertaken || attempt === attempts) throw error;
        overtaken = await this.#takeTheirs();
        now = this.#now;
      }
    }
  }

  async #takeTheirs(): Promise<Overtaken> {
    const theirs = await readNotebook(this.path, { isLocked: true, within: this.#within }).catch((error) => {
      // The next save writes a deleted file again.
      if (isGranaryError(error, "missing-file")) return null;
      throw error;
    });
    if (theirs === null) {
      const origin = { path: this.path, content: null };
      this.#now = { ...this.#now, notebook: { ...this.notebook, origin } };
      this.#onDisk = { ...this.#onDisk, notebook: { ...this.#onDisk.notebook, origin } };
      return { by: "deletion", rewrittenByBoth: [] };
    }
    const merged = mergeTheirs(this.#onDisk, this.#now, theirs);
    const isTheirs = merged.notebook === theirs;
    this.#now = { notebook: merged.notebook, keys: merged.keys };
    this.#onDisk = isTheirs ? this.#now : { notebook: theirs, keys: merged.theirKeys };
    // Undo would overwrite their changes.
    this.#past = [];
    return { by: "theirs", rewrittenByBoth: merged.rewrittenByBoth };
  }

  /** Edits may have happened during the write. */
  #settle(saved: KeyedNotebook, now: KeyedNotebook): void {
    this.#onDisk = saved;
    const { origin } = saved.notebook;
    this.#now = this.#now === now ? saved : { ...this.#now, notebook: { ...this.notebook, origin } };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work).finally(() => this.#turns--);
    this.#turns += 1;
    this.#turn = turn.catch(() => {});
    return turn;
  }
}
