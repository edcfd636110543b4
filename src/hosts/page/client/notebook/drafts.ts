import { signal } from "@preact/signals";
import type { ShownCell, ShownNotebook } from "./shown-notebook.ts";

type CellType = "code" | "markdown" | "raw";

/** Text that the reader types into a cell, until it is in the file. */
interface CellDraft {
  readonly text: string;
  /** Of the cell as it was when the reader began. */
  readonly revision: string;
  readonly source: string;
  readonly type: CellType;
  readonly after: string | null;
}

/** Two versions of a cell, in two cells: the reader's and that of another program. */
export interface CellConflict {
  readonly mine: string;
  readonly theirs: string;
}

/** The edits of the reader. Each goes to the file when the reader leaves the cell, or runs it. */
export class CellDrafts {
  /** The cell that has an editor. */
  readonly editing = signal<string | null>(null);
  readonly conflicts = signal<readonly CellConflict[]>([]);
  readonly #notebook: ShownNotebook;
  readonly #drafts = signal<ReadonlyMap<string, CellDraft>>(new Map());
  readonly #saving = new Map<string, Promise<string | null>>();

  constructor(notebook: ShownNotebook) {
    this.#notebook = notebook;
  }

  /** Whether there is text that is not in the file. */
  get hasUnsaved(): boolean {
    return [...this.#drafts.value.values()].some(({ text, source }) => text !== source);
  }

  textOf(cell: ShownCell): string {
    return this.#drafts.value.get(cell.key)?.text ?? cell.facts.value.source;
  }

  /** Whether another program has changed the cell since the reader began. */
  isOvertaken(cell: ShownCell): boolean {
    const draft = this.#drafts.value.get(cell.key);
    return draft !== undefined && draft.revision !== cell.facts.value.revision;
  }

  begin(cell: ShownCell): void {
    const { type, source, revision } = cell.facts.value;
    if (type === "unknown") return;
    if (!this.#drafts.value.has(cell.key)) {
      this.#put(cell.key, { text: source, source, revision, type, after: this.#notebook.before(cell.key) });
    }
    this.editing.value = cell.key;
  }

  type(key: string, text: string): void {
    const draft = this.#drafts.value.get(key);
    if (draft !== undefined) this.#put(key, { ...draft, text });
  }

  /** Puts the text into the file. @returns the cell that has it; null when it could not be saved */
  async finish(key: string): Promise<string | null> {
    if (this.editing.value === key) this.editing.value = null;
    const saving = (this.#saving.get(key) ?? Promise.resolve(key)).then(() => this.#save(key));
    this.#saving.set(key, saving);
    try {
      return await saving;
    } finally {
      if (this.#saving.get(key) === saving) this.#saving.delete(key);
    }
  }

  async finishAll(): Promise<void> {
    await Promise.all([...this.#drafts.value.keys()].map((key) => this.finish(key)));
  }

  forget({ mine }: CellConflict): void {
    this.conflicts.value = this.conflicts.value.filter((conflict) => conflict.mine !== mine);
  }

  async #save(key: string): Promise<string | null> {
    const draft = this.#drafts.value.get(key);
    if (draft === undefined) return key;
    const { text, source, revision, type: cellType, after } = draft;
    if (text === source) {
      this.#drop(key, draft);
      return key;
    }
    const done = await this.#notebook.attempt({
      ...{ action: "edit", cell: key, revision, content: text, cellType, after },
    });
    // The text stays in the editor, and the message says why.
    if (done === null) return null;
    const shown = this.#notebook.cell(key);
    if (done.conflict === null && shown !== undefined && done.revision !== null) {
      shown.facts.value = { ...shown.facts.value, source: text, revision: done.revision };
    }
    this.#drop(key, draft);
    if (done.conflict?.theirs === null) this.#notebook.message.value = { text: deletedMeanwhile };
    else if (done.conflict !== null && done.cell !== null) {
      this.conflicts.value = [...this.conflicts.value, { mine: done.cell, theirs: done.conflict.theirs }];
    }
    return done.cell;
  }

  #put(key: string, draft: CellDraft): void {
    this.#drafts.value = new Map(this.#drafts.value).set(key, draft);
  }

  /** Unless the reader has typed more in the meantime. */
  #drop(key: string, saved: CellDraft): void {
    const now = this.#drafts.value.get(key);
    const shown = this.#notebook.cell(key)?.facts.value;
    if (now !== saved && now !== undefined && shown !== undefined) {
      return this.#put(key, { ...now, source: shown.source, revision: shown.revision });
    }
    const drafts = new Map(this.#drafts.value);
    drafts.delete(key);
    this.#drafts.value = drafts;
  }
}

const deletedMeanwhile = "Another program deleted this cell while you edited it. Your text is in a new cell.";
