import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { NotebookCell } from "../../notebook/cell.ts";
import { type CellRun, withOutputs } from "../../notebook/edit/write-outputs.ts";
import { readNotebook } from "../../notebook/file/read-notebook.ts";
import { requireWritable, saveLocked } from "../../notebook/file/save-notebook.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { whileLocked } from "../../support/files/locked-file.ts";
import { isGranaryError } from "../../support/granary-error.ts";
import { findAgain, type NewPlace, withRunOf } from "./merge-run.ts";

/** Cells that end within this time share a save. */
const betweenSavesMs = 100;

/** After so many saves by other programs, a save gives up: they may never stop. */
const attempts = 20;

/** Some programs empty a file before they write it: an unreadable file may be complete within this time. */
const halfWrittenMs = 5000;
const betweenLooksMs = 50;

export interface LiveDocumentOptions {
  /** Another file than the source; null to save nothing. */
  readonly saveTo?: string | null | undefined;
  /** Folders that the file must be in, wherever links lead; null for any. */
  readonly within?: readonly string[] | null | undefined;
}

/** A notebook that is saved while it runs, and that other programs may save at the same time. */
export class LiveDocument {
  readonly #path: string | null;
  readonly #within: readonly string[] | null;
  readonly #changes: ((notebook: Notebook) => Notebook)[] = [];
  readonly #ran = new Set<number>();
  #notebook: Notebook;
  /** The current position of each cell. Cells are named by their position when the run began. */
  #places: NewPlace[];
  #isNewFile: boolean;
  #hasUnsaved = false;
  #hasBeenSaved = false;
  /** Cells whose last outputs are not in the file. */
  #unsaved = new Set<number>();
  /** When the file was last complete, which it is before the first cell. */
  #lastSaved = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(notebook: Notebook, { saveTo, within = null }: LiveDocumentOptions = {}) {
    this.#within = within;
    const from = notebook.origin?.path ?? null;
    this.#path = saveTo === undefined ? from : saveTo && resolve(saveTo);
    this.#isNewFile = this.#path !== from;
    this.#notebook = notebook;
    this.#places = [...notebook.cells.keys()];
  }

  /** The file to write; null for none. */
  get target(): string | null {
    return this.#path;
  }

  /** The file that was written; null before the first save, and after a failed one. */
  get savedTo(): string | null {
    return this.#hasBeenSaved ? this.#path : null;
  }

  /** Throws when nothing could be saved anyway. */
  async requireWritable(): Promise<void> {
    if (this.#path !== null) await requireWritable(this.#path, this.#within);
  }

  /**
   * Makes a change that leaves all cells in their places, to be saved with the next outputs. It is repeated in the version
   * that another program saves.
   */
  change(change: (notebook: Notebook) => Notebook): void {
    this.#changes.push(change);
    this.#notebook = change(this.#notebook);
  }

  /** Keeps the outputs of a cell, if the cell still exists. */
  write(index: number, run: Omit<CellRun, "executionCount"> & Partial<CellRun>): void {
    const place = this.#places[index];
    if (typeof place !== "number") return;
    const { executionCount = this.#notebook.cells[place]?.executionCount ?? null } = run;
    this.#notebook = withOutputs(this.#notebook, place, { ...run, executionCount });
    this.#ran.add(index);
    this.#unsaved.add(index);
    this.#hasUnsaved = true;
  }

  /** The cell as it is now; or the change by another program that leaves no place for its outputs. */
  cell(index: number): NotebookCell | "edited" | "gone" {
    const place = this.#places[index] ?? "gone";
    return typeof place === "number" ? (this.#notebook.cells[place] ?? "gone") : place;
  }

  /** Whether outputs of the cell are missing from the file. */
  isUnsaved(index: number): boolean {
    return this.#path !== null && this.#unsaved.has(index);
  }

  /** Whether the last save is long enough ago for another one. */
  get isSaveDue(): boolean {
    return performance.now() - this.#lastSaved >= betweenSavesMs;
  }

  /** Saves soon. The next save reports a failure of that one. */
  planSave(): void {
    const wait = Math.max(0, this.#lastSaved + betweenSavesMs - performance.now());
    this.#timer ??= setTimeout(() => void this.save().catch(() => {}), wait);
  }

  /** The last save of a successful run: makes another file exist even if no cell had to run. */
  async finish(): Promise<void> {
    this.#hasUnsaved ||= this.#isNewFile;
    await this.save();
  }

  save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const saved = this.#saving.catch(() => {}).then(() => this.#save());
    this.#saving = saved;
    saved.catch(() => {});
    return saved;
  }

  async #save(): Promise<void> {
    const path = this.#path;
    if (path === null || !this.#hasUnsaved) return;
    await whileLocked(path, { within: this.#within }, () => this.#saveLocked(path));
  }

  async #saveLocked(path: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const notebook = this.#notebook;
      const cells = this.#unsaved;
      this.#hasUnsaved = false;
      this.#unsaved = new Set();
      try {
        const overwrite = this.#isNewFile;
        const { origin } = await saveLocked(notebook, { path, overwrite, within: this.#within });
        // Cells may have ended during the save; their outputs are there, and so is the next save.
        this.#notebook = { ...this.#notebook, origin };
        this.#isNewFile = false;
        this.#hasBeenSaved = true;
        this.#lastSaved = performance.now();
        return;
      } catch (error) {
        this.#hasUnsaved = true;
        for (const cell of cells) this.#unsaved.add(cell);
        const isOvertaken = isGranaryError(error, "changed-on-disk");
        if (!isOvertaken || attempt === attempts) throw error;
        await this.#takeTheirs(path);
      }
    }
  }

  /** Continues with the version that another program saved, and puts the outputs of this run into it. */
  async #takeTheirs(path: string): Promise<void> {
    const read = await readTheirs(path, this.#within);
    if (read === null) {
      this.#isNewFile = true;
      return;
    }
    const theirs = this.#changes.reduce((notebook, change) => change(notebook), read);
    const found = findAgain(this.#notebook, theirs);
    const ranHere = [...this.#ran].map((index) => this.#places[index]).filter((place) => typeof place === "number");
    this.#notebook = withRunOf(this.#notebook, theirs, ranHere, found);
    this.#places = this.#places.map((place) => (typeof place === "number" ? (found[place] ?? "gone") : place));
  }
}

/** The version that another program saved, once complete; null when the file was deleted. */
async function readTheirs(path: string, within: readonly string[] | null): Promise<Notebook | null> {
  const deadline = performance.now() + halfWrittenMs;
  for (;;) {
    try {
      return await readNotebook(path, { isLocked: true, within });
    } catch (error) {
      const code = isGranaryError(error) ? error.code : null;
      // A deleted file is written again: it may hold hours of work.
      if (code === "missing-file") return null;
      if (code !== "invalid-json" || performance.now() > deadline) throw error;
      await sleep(betweenLooksMs);
    }
  }
}
