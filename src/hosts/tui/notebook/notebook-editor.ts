import type { CellType } from "../../../notebook/cell.ts";
import { Editor } from "../editor/editor.ts";
import { QuestionQueue } from "../questions.ts";
import type { CellRuns } from "./cell-runs.ts";
import { type ChosenEditor, editedElsewhere } from "./document/external-editor.ts";
import type { CellKey } from "./document/keyed-notebook.ts";
import type { OpenDocument, Overtaken } from "./document/open-document.ts";

/** The mode that keys depend on. */
export type Mode =
  /** `typed` is the first key of a two-key command. */
  | { readonly type: "command"; readonly typed: string }
  | {
      readonly type: "edit";
      readonly key: CellKey;
      readonly editor: Editor;
      readonly before: string;
      readonly place: number;
    }
  | { readonly type: "confirm"; readonly sentence: string; readonly choices: Readonly<Record<string, () => void>> }
  | { readonly type: "help" };

export interface Message {
  readonly text: string;
  readonly isBad: boolean;
}

export interface NotebookEditorOptions {
  readonly editor: ChosenEditor;
  /** Called when the view has something new to show. */
  onChange(): void;
  /** Gives the terminal away until `work` is done. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  suspend(): void;
  leave(): void;
}

const commandMode: Mode = { type: "command", typed: "" };

/** A notebook in use: the selection, the edit in progress, and the commands. */
export class NotebookEditor {
  readonly document: OpenDocument;
  readonly runs: CellRuns;
  readonly questions: QuestionQueue;
  readonly expanded = new Set<CellKey>();
  readonly #options: NotebookEditorOptions;
  #selected: CellKey | null;
  /** Its place, for when the cell is gone. */
  #place = 0;
  #mode: Mode = commandMode;
  message: Message | null = null;

  constructor(document: OpenDocument, runs: CellRuns, options: NotebookEditorOptions) {
    this.document = document;
    this.runs = runs;
    this.#options = options;
    this.questions = new QuestionQueue(() => options.onChange());
    this.#selected = document.keys[0] ?? null;
  }

  get mode(): Mode {
    return this.#mode;
  }

  set mode(mode: Mode) {
    this.#mode = mode;
    this.#options.onChange();
  }

  /** The index of the selected cell; 0 in a notebook without cells. */
  get selectedIndex(): number {
    const { keys } = this.document;
    const index = this.#selected === null ? -1 : keys.indexOf(this.#selected);
    if (index === -1) this.#selected = keys[Math.min(this.#place, keys.length - 1)] ?? null;
    this.#place = index === -1 ? Math.max(0, Math.min(this.#place, keys.length - 1)) : index;
    return this.#place;
  }

  get selected(): CellKey | null {
    return this.document.keys[this.selectedIndex] ?? null;
  }

  selectAt(index: number): void {
    const { keys } = this.document;
    const place = Math.max(0, Math.min(index, keys.length - 1));
    this.#selected = keys[place] ?? null;
    this.#place = place;
    this.#options.onChange();
  }

  selectBy(cells: number): void {
    this.selectAt(this.selectedIndex + cells);
  }

  changed(): void {
    this.#options.onChange();
  }

  tell(text: string, { isBad = false } = {}): void {
    this.message = { text, isBad };
    this.#options.onChange();
  }

  edit(): void {
    const key = this.selected;
    const before = key === null ? undefined : this.document.cell(key)?.source;
    if (key === null || before === undefined || this.#refusesEdit(key)) return;
    const editor = new Editor();
    editor.buffer.set(before, 0);
    this.mode = { type: "edit", key, editor, before, place: this.selectedIndex };
  }

  /** The typed text becomes the cell's source. */
  finishEdit(): void {
    if (this.#mode.type !== "edit") return;
    const { key, editor, before, place } = this.#mode;
    this.#keep(key, editor.buffer.text, before, place);
    this.mode = commandMode;
  }

  async editElsewhere(): Promise<void> {
    const key = this.selected;
    const cell = key === null ? undefined : this.document.cell(key);
    if (key === null || cell === undefined || this.#refusesEdit(key)) return;
    const place = this.selectedIndex;
    const before = cell.source;
    const name = `cell-${place}.${cell.type === "code" ? "py" : cell.type === "markdown" ? "md" : "txt"}`;
    const edited = await this.#options.lend(() => editedElsewhere(before, name, this.#options.editor));
    if ("problem" in edited) this.tell(edited.problem, { isBad: true });
    else this.#keep(key, edited.text, before, place);
  }

  insert(offset: 0 | 1): void {
    const at = this.document.cells.length === 0 ? 0 : this.selectedIndex + offset;
    this.document.insert(at, "code", "");
    this.selectAt(at);
  }

  remove(): void {
    if (this.selected === null) return;
    this.document.remove(this.selected);
    this.tell("Deleted a cell; z brings it back.");
  }

  move(by: 1 | -1): void {
    if (this.selected !== null) this.document.move(this.selected, this.selectedIndex + by);
    this.#options.onChange();
  }

  setType(type: CellType): void {
    if (this.selected !== null) this.document.setType(this.selected, type);
    this.#options.onChange();
  }

  undo(): void {
    this.tell(this.document.undo() ? "Undid the last edit." : "There is no edit to undo.");
  }

  run(then: "next" | "stay"): void {
    if (this.selected !== null) this.runs.run([this.selected]);
    if (then === "next") this.selectBy(1);
  }

  runAll(): void {
    this.runs.run(this.document.keys);
  }

  async interrupt(): Promise<void> {
    if (!this.runs.isBusy) return this.tell("Nothing runs.");
    await this.runs.interrupt();
  }

  toggleOutputs(): void {
    const key = this.selected;
    if (key === null) return;
    if (!this.expanded.delete(key)) this.expanded.add(key);
    this.#options.onChange();
  }

  async save(): Promise<void> {
    try {
      const overtaken = await this.document.save();
      this.tell(`Saved ${this.document.name}.${overtaken === null ? "" : ` ${this.#aboutTheirs(overtaken)}`}`);
    } catch (error) {
      this.tellNotSaved(error as Error);
    }
  }

  tellNotSaved({ message }: Error): void {
    this.tell(`Not saved; the changes are kept here until you leave. s tries again. ${message}`, { isBad: true });
  }

  /** Checks whether another program has changed the file. */
  async refresh(): Promise<void> {
    try {
      const overtaken = await this.document.refresh();
      if (overtaken !== null) this.tell(this.#aboutTheirs(overtaken), { isBad: overtaken.by === "deletion" });
    } catch (error) {
      this.tell(`The file has changed and cannot be read: ${(error as Error).message}`, { isBad: true });
    }
  }

  suspend(): void {
    this.#options.suspend();
  }

  async quit(): Promise<void> {
    if (this.runs.isBusy) {
      this.#ask("A cell is running. Interrupt it and leave? y yes, Esc no", { y: () => void this.#stopAndQuit() });
      return;
    }
    // The last cell's output may still be on its way into the file.
    if (this.document.isBusy) await this.document.settled();
    if (this.document.hasUnsaved) {
      this.#ask(`Save the changes to ${this.document.name}? y yes, n no, Esc cancel`, {
        y: () => void this.#saveAndLeave(),
        n: () => this.#options.leave(),
      });
    } else this.#options.leave();
  }

  async #stopAndQuit(): Promise<void> {
    await this.runs.stop();
    await this.quit();
  }

  async #saveAndLeave(): Promise<void> {
    await this.save();
    if (!this.document.hasUnsaved) this.#options.leave();
  }

  #ask(sentence: string, choices: Readonly<Record<string, () => void>>): void {
    this.mode = { type: "confirm", sentence, choices };
  }

  #keep(key: CellKey, text: string, before: string, place: number): void {
    const kept = this.document.rewrite(key, text, { before, place });
    if (kept === key) return;
    this.#selected = kept;
    this.tell("Another program has changed this cell: your version is a separate cell below.", { isBad: true });
  }

  #refusesEdit(key: CellKey): boolean {
    const isUnknown = this.document.cell(key)?.type === "unknown";
    if (isUnknown) this.tell("This cell has an unknown type. Change its type to edit it.", { isBad: true });
    return isUnknown;
  }

  #aboutTheirs({ by, rewrittenByBoth }: Overtaken): string {
    if (by === "deletion") return `${this.document.name} was deleted. s writes it again.`;
    const both = rewrittenByBoth.map((key) => this.document.indexOf(key));
    const clash =
      both.length === 0 ? "" : ` Changed on both sides, your version is below theirs: cell ${both.join(", ")}.`;
    return `${this.document.name} was changed on disk, and the changes are loaded.${clash}`;
  }
}
