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

/** What somebody else has done to the file: saved something else, or deleted it. */
export interface Overtaken {
  readonly by: "theirs" | "deletion";
  /** Cells that both have rewritten: ours is a cell of its own, below theirs. */
  readonly rewrittenByBoth: readonly CellKey[];
}

/** More than anybody remembers. */
const mostUndo = 200;

/** Whoever is overtaken this often is up against something that never stops. */
const attempts = 20;

/**
 * A notebook that somebody has open: what is in the file, what they have made of it, and the way back. Others may save
 * the file meanwhile; what they write is taken over, never overwritten.
 */
export class OpenDocument {
  readonly path: string;
  /** As it was in the file when it was last looked at. */
  #onDisk: KeyedNotebook;
  #now: KeyedNotebook;
  #past: KeyedNotebook[] = [];
  readonly #outputs = new WeakMap<NotebookCell, readonly NotebookOutput[]>();
  #turn: Promise<unknown> = Promise.resolve();
  #turns = 0;

  static async open(path: string, signal?: AbortSignal): Promise<OpenDocument> {
    return new OpenDocument(await readNotebook(path, signal === undefined ? {} : { signal }));
  }

  private constructor(notebook: Notebook) {
    this.path = notebook.origin?.path ?? "";
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

  /** -1 when it is gone. */
  indexOf(key: CellKey): number {
    return this.keys.indexOf(key);
  }

  /** What a cell has put out, read once. */
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
   * Gives a cell another source. When somebody else has rewritten it since `before` was read, theirs stays, and this
   * becomes a cell of its own below; when it is gone, it comes back at `place`.
   * @returns the cell that has the source now
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

  /** Not an edit: there is no way back from what Python did. */
  keepRun(key: CellKey, run: Omit<CellRun, "executionCount"> & Partial<CellRun>): void {
    const index = this.indexOf(key);
    const cell = this.cells[index];
    if (cell?.type !== "code") return;
    const { executionCount = cell.executionCount } = run;
    this.changeAll((notebook) => withOutputs(notebook, index, { ...run, executionCount }));
    // The very same outputs that were shown while it ran, so that whoever shows them need not prepare them again.
    this.#outputs.set(this.cells[index] as NotebookCell, run.outputs);
  }

  /** A change that leaves all cells in their places, and that nobody would want to undo. */
  changeAll(change: (notebook: Notebook) => Notebook): void {
    const notebook = change(this.notebook);
    if (notebook !== this.notebook) this.#now = { ...this.#now, notebook };
  }

  /** Takes the last edit back. What cells have put out since then stays. False when there is none. */
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

  /** Writes the file, all of it or nothing; what somebody else has saved meanwhile is taken over first. */
  save(): Promise<Overtaken | null> {
    return this.#inTurn(() => {
      const now = this.#now;
      return whileLocked(this.path, {}, () => this.#saveLocked(now));
    });
  }

  /** Takes over what somebody else has saved; null when nobody has. Throws what is wrong with the file. */
  refresh(): Promise<Overtaken | null> {
    return this.#inTurn(async () => {
      const { origin } = this.#onDisk.notebook;
      if (await isContentOf(this.path, origin?.content ?? null)) return null;
      return this.#takeTheirs();
    });
  }

  /** Whether it is being saved or read. */
  get isBusy(): boolean {
    return this.#turns > 0;
  }

  /** When that is over. */
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
        const { origin } = await saveLocked(now.notebook);
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
    const theirs = await readNotebook(this.path, { isLocked: true }).catch((error) => {
      // A file that was deleted comes back with the next save.
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
    // The way back would lead over what they have written.
    this.#past = [];
    return { by: "theirs", rewrittenByBoth: merged.rewrittenByBoth };
  }

  /** Edits may have been made while the file was written. */
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
