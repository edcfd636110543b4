import type { SharedSession } from "../../../session/shared-session.ts";
import { atBothEnds, clamp, pad } from "../../../view/text/fit.ts";
import { wrapWords } from "../../../view/text/wrap.ts";
import type { Theme } from "../../../view/theme/theme.ts";
import type { Key } from "../keys.ts";
import type { TerminalSize, View } from "../screen.ts";
import { footKeys, keyTable } from "./key-table.ts";
import type { NotebookEditor } from "./notebook-editor.ts";
import type { CellPainter, PaintedCell } from "./paint/cell-painter.ts";
import { notebookStatusLine } from "./paint/status-line.ts";
import { type Column, type Scroll, scrolled, showing, visibleCells } from "./paint/viewport.ts";
import { pressKey } from "./press-key.ts";

export interface NotebookViewOptions {
  readonly editor: NotebookEditor;
  readonly painter: CellPainter;
  readonly memory: { readonly bytes: number | null };
  readonly session: Pick<SharedSession, "life" | "generation" | "info">;
  /** A character cell's size in pixels, where the terminal reports it. */
  measured(cellPixels: NonNullable<TerminalSize["cellPixels"]>): void;
  /** The terminal's reply to a query. */
  reply(sequence: string): void;
  /** The terminal's window was closed. */
  gone(): void;
}

/** The notebook in full screen: its name, the cells that fit, the kernel, and the keys. */
export class NotebookView implements View {
  readonly #options: NotebookViewOptions;
  #scroll: Scroll = { cell: 0, line: 0 };
  #size: TerminalSize = { columns: 80, rows: 24, cellPixels: null };
  theme: Theme;

  constructor(theme: Theme, options: NotebookViewOptions) {
    this.theme = theme;
    this.#options = options;
  }

  render(size: TerminalSize): readonly string[] {
    const { cellPixels } = size;
    if (cellPixels !== null && cellPixels !== this.#size.cellPixels) this.#options.measured(cellPixels);
    this.#size = size;
    // The last lines of a long question have the choices.
    const foot = this.#foot(size.columns).slice(-Math.max(1, Math.floor(size.rows / 2)));
    const rows = Math.max(1, size.rows - 2 - foot.length);
    const body = this.#options.editor.mode.type === "help" ? this.#help(rows) : this.#cells(rows);
    const filled = [...body, ...Array<string>(Math.max(0, rows - body.length)).fill("")];
    return [this.#title(size.columns), ...filled, this.#status(size.columns), ...foot].slice(0, size.rows);
  }

  press(key: Key): void {
    const { editor } = this.#options;
    const pages =
      editor.mode.type === "command" && editor.questions.current === null ? pageMoves[nameOf(key)] : undefined;
    if (pages === undefined) pressKey(key, editor);
    else this.#turnPage(pages);
    editor.changed();
  }

  reply(sequence: string): void {
    this.#options.reply(sequence);
  }

  gone(): void {
    this.#options.gone();
  }

  #title(columns: number): string {
    const { document, mode, selectedIndex } = this.#options.editor;
    const { theme } = this;
    const unsaved = document.hasUnsaved ? theme.warning(" ● not saved") : "";
    const { length } = document.cells;
    const place = length === 0 ? "no cells" : `cell ${selectedIndex} of ${length}`;
    const doing = mode.type === "edit" ? `${theme.accent("editing")} ` : "";
    return atBothEnds(theme.title(document.name) + unsaved, doing + theme.muted(place), columns);
  }

  #cells(rows: number): readonly string[] {
    const { editor } = this.#options;
    if (editor.document.cells.length === 0) return ["", this.theme.muted("  No cells yet. Press a for the first.")];
    const { column, painted } = this.#column(rows);
    this.#scroll = showing(editor.selectedIndex, this.#scroll, column);
    return [...visibleCells(this.#scroll, column)].flatMap(({ cell, from, to }) =>
      this.#options.painter.rows(painted(cell), from, to, cell === editor.selectedIndex),
    );
  }

  /** Cells are painted when they become visible, and cached. */
  #column(rows: number): { readonly column: Column; readonly painted: (index: number) => PaintedCell } {
    const { editor, painter } = this.#options;
    const cells = new Map<number, PaintedCell>();
    const painted = (index: number): PaintedCell => {
      const cell = cells.get(index) ?? painter.paint(index, { ...this.#size, rows, theme: this.theme });
      cells.set(index, cell);
      return cell;
    };
    const column = { cells: editor.document.cells.length, rows, height: (index: number) => painted(index).length };
    return { column, painted };
  }

  /** Scrolling moves the selection to the visible cells. */
  #turnPage(pages: number): void {
    const { editor } = this.#options;
    const rows = Math.max(1, this.#size.rows - 3);
    const { column } = this.#column(rows);
    if (column.cells === 0) return;
    this.#scroll = scrolled(this.#scroll, Math.round(pages * rows), column);
    const seen = [...visibleCells(this.#scroll, column)].map(({ cell }) => cell);
    if (!seen.includes(editor.selectedIndex)) editor.selectAt((pages > 0 ? seen[0] : seen.at(-1)) ?? 0);
  }

  #status(columns: number): string {
    const { editor, session, memory } = this.#options;
    const { runs, document } = editor;
    const running = runs.running === null ? null : document.indexOf(runs.running);
    const now = Date.now();
    return notebookStatusLine(
      {
        session,
        memory: memory.bytes,
        now,
        running: running === null ? null : { cell: running, since: runs.runningSince, waiting: runs.waiting },
      },
      columns,
      this.theme,
    );
  }

  #foot(columns: number): readonly string[] {
    const { theme } = this;
    const { questions, mode, message } = this.#options.editor;
    if (questions.current !== null) return questions.current.render(columns, theme);
    if (mode.type === "confirm") return wrapWords(theme.warning(mode.sentence), columns);
    if (message !== null)
      return wrapWords((message.isBad ? theme.error : theme.accent)(message.text), columns).slice(0, 3);
    if (mode.type === "edit") return [theme.muted(clamp(editKeys, columns))];
    return [theme.muted(clamp(mode.type === "help" ? "any key goes back" : footKeys(columns), columns))];
  }

  #help(rows: number): readonly string[] {
    const names = keyTable.map(({ keys, name }) => [keys.join(", "), name] as const);
    const width = Math.max(...names.map(([keys]) => keys.length)) + 2;
    const lines = names.map(([keys, name]) => `  ${this.theme.accent(pad(keys, width))}${name}`);
    const all = [...lines, `  ${this.theme.accent(pad("PageUp, PageDown", width))}scroll`];
    return all.slice(0, rows).map((line) => clamp(line, this.#size.columns));
  }
}

const editKeys = "Esc done  Alt-Enter run and next  Ctrl-R run  Ctrl-S save  Tab indent";

const pageMoves: Readonly<Record<string, number>> = {
  pageDown: 0.8,
  pageUp: -0.8,
  " ": 0.8,
  "ctrl+f": 0.8,
  "ctrl+b": -0.8,
};

function nameOf(key: Key): string {
  return key.type === "key" ? key.name : key.type === "text" ? key.text : "";
}
