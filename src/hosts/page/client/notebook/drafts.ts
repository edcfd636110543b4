import { batch, type Signal, signal } from "@preact/signals";
import type { PageEditResult } from "../../api/notebooks.ts";
import type { ClickedPlace } from "../editor/code-editor.ts";
import type { ShownCell, ShownNotebook } from "./shown-notebook.ts";

type CellType = "code" | "markdown" | "raw";

/** Text that the reader types into a cell, until it is in the file. */
interface CellDraft {
  readonly text: Signal<string>;
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
  #clicked: ClickedPlace | null = null;

  constructor(notebook: ShownNotebook) {
    this.#notebook = notebook;
  }

  /** Whether there is text that is not in the file. */
  get hasUnsaved(): boolean {
    return [...this.#drafts.value.values()].some(({ text, source }) => text.value !== source);
  }

  /** The click that opened the editor; null when a key did. */
  get clicked(): ClickedPlace | null {
    return this.#clicked;
  }

  /** The reader's text of a cell; null when the reader has not begun. */
  draftOf(cell: ShownCell): Signal<string> | null {
    return this.#drafts.value.get(cell.key)?.text ?? null;
  }

  /** Whether another program has changed the cell since the reader began to type. */
  isOvertaken(cell: ShownCell): boolean {
    const draft = this.#drafts.value.get(cell.key);
    return draft !== undefined && draft.revision !== cell.facts.value.revision && draft.text.value !== draft.source;
  }

  begin(cell: ShownCell, clicked: ClickedPlace | null = null): void {
    const { type, source, revision } = cell.facts.peek();
    if (type === "unknown") return;
    this.#clicked = clicked;
    batch(() => {
      if (!this.#drafts.peek().has(cell.key)) {
        const after = this.#notebook.before(cell.key);
        this.#put(cell.key, { text: signal(source), source, revision, type, after });
      }
      this.editing.value = cell.key;
    });
  }

  /** Text that the reader has not changed follows the file. */
  keepUp(cell: ShownCell): void {
    const draft = this.#drafts.peek().get(cell.key);
    const { source, revision } = cell.facts.peek();
    if (draft === undefined || draft.revision === revision || draft.text.peek() !== draft.source) return;
    batch(() => {
      draft.text.value = source;
      this.#put(cell.key, { ...draft, source, revision });
    });
  }

  /** Saves the text, and closes the editor. @returns the cell that has it; null when it could not be saved */
  finish(key: string): Promise<string | null> {
    if (this.editing.peek() === key) this.editing.value = null;
    return this.save(key);
  }

  /** Puts the text into the file. @returns the cell that has it; null when it could not be saved */
  async save(key: string): Promise<string | null> {
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
    const draft = this.#drafts.peek().get(key);
    if (draft === undefined) return key;
    const { source, revision, type: cellType, after } = draft;
    const text = draft.text.peek();
    if (text === source) {
      this.#settle(key, key, draft);
      return key;
    }
    const done = await this.#notebook.attempt({
      ...{ action: "edit", cell: key, revision, content: text, cellType, after },
    });
    // The text stays in the editor, and the message says why.
    if (done?.cell == null || done.revision === null) return null;
    const shown = this.#notebook.cell(done.cell);
    // A later change of another program may be here already.
    if (shown?.facts.peek().revision === revision) {
      shown.facts.value = { ...shown.facts.peek(), source: text, revision: done.revision };
    }
    batch(() => this.#takeResult(key, done.cell as string, done.conflict));
    this.#settle(key, done.cell, { ...draft, source: text, revision: done.revision });
    return done.cell;
  }

  #takeResult(key: string, mine: string, conflict: PageEditResult["conflict"]): void {
    if (conflict === null) return;
    if (this.editing.peek() === key) this.editing.value = null;
    if (conflict.theirs === null) this.#notebook.message.value = { text: deletedMeanwhile };
    else this.conflicts.value = [...this.conflicts.peek(), { mine, theirs: conflict.theirs }];
  }

  #put(key: string, draft: CellDraft): void {
    this.#drafts.value = new Map(this.#drafts.peek()).set(key, draft);
  }

  /** The text is in the file. While the editor is open, or has more text by now, the draft continues from there. */
  #settle(key: string, cell: string, saved: CellDraft): void {
    const drafts = new Map(this.#drafts.peek());
    drafts.delete(key);
    if (this.editing.peek() === cell || saved.text.peek() !== saved.source) drafts.set(cell, saved);
    this.#drafts.value = drafts;
  }
}

const deletedMeanwhile = "Another program deleted this cell while you edited it. Your text is in a new cell.";
