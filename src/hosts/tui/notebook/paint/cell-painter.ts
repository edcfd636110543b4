import type { NotebookCell } from "../../../../notebook/cell.ts";
import type { ImagePart } from "../../../../output/display/display-part.ts";
import type { PictureBlock } from "../../../../view/pictures/picture-block.ts";
import type { Theme } from "../../../../view/theme/theme.ts";
import { drawEditor } from "../../editor/draw-editor.ts";
import type { CellKey } from "../document/keyed-notebook.ts";
import type { Mode, NotebookEditor } from "../notebook-editor.ts";
import { type CellLine, type CellLook, cellLines, headLine } from "./cell-lines.ts";
import type { NotebookPictures } from "./notebook-pictures.ts";
import { outputLines } from "./output-lines.ts";
import type { OutputPieces, PaintedPiece } from "./output-pieces.ts";

export interface CellCanvas {
  readonly columns: number;
  readonly rows: number;
  readonly theme: Theme;
}

export interface PaintedCell {
  readonly lines: readonly CellLine[];
  readonly length: number;
  readonly isCode: boolean;
  readonly theme: Theme;
}

/** The prefix of every line: a bar that shows the selection and marks code. */
const barWidth = 2;

/** Higher pictures leave no room for the code. */
const highestPicture = 24;

/** Paints the cells of a notebook, each again only after a change. */
export class CellPainter {
  readonly #editor: NotebookEditor;
  readonly #pieces: OutputPieces;
  readonly #pictures: NotebookPictures;
  readonly #painted = new WeakMap<NotebookCell, { readonly as: string; readonly cell: PaintedCell }>();
  /** Changes when pictures or outputs are ready that were painted as placeholders. */
  #edition = 0;

  constructor(editor: NotebookEditor, pieces: OutputPieces, pictures: NotebookPictures) {
    this.#editor = editor;
    this.#pieces = pieces;
    this.#pictures = pictures;
  }

  repaintAll(): void {
    this.#edition += 1;
  }

  paint(index: number, canvas: CellCanvas): PaintedCell {
    const editor = this.#editor;
    const key = editor.document.keys[index] as CellKey;
    const cell = editor.document.cells[index] as NotebookCell;
    const progress = editor.runs.progress(key);
    const live = editor.runs.live(key);
    const pages = editor.runs.pages(key);
    const isExpanded = editor.expanded.has(key);
    const isEdited = editor.mode.type === "edit" && editor.mode.key === key;
    const asBefore = JSON.stringify([canvas.columns, canvas.rows, isExpanded, progress, pages.length, this.#edition]);
    const known = this.#painted.get(cell);
    const changesByItself = live !== null || isEdited || progress?.type === "running";
    if (known?.as === asBefore && known.cell.theme === canvas.theme && !changesByItself) return known.cell;

    const outputs = live?.outputs ?? editor.document.outputs(cell);
    const last = outputs.at(-1);
    const pieces = outputs.flatMap((output) =>
      live === null ? this.#pieces.of(output) : this.#pieces.ofRunning(output, output === last ? live.tail : null),
    );
    pieces.push(...pages.flatMap((page) => this.#pieces.of(page)));
    const width = Math.max(1, canvas.columns - barWidth);
    const draw = (image: ImagePart, columns: number) => this.#draw(image, columns, canvas, `${key}`);
    const look = { width, theme: canvas.theme, expanded: isExpanded, progress, now: Date.now(), draw };
    const lines = isEdited
      ? editedLines(cell, pieces, look, editor.mode as EditMode, canvas)
      : cellLines(cell, pieces, look);
    const painted = { lines, length: lines.length, isCode: cell.type === "code", theme: canvas.theme };
    if (!changesByItself) this.#painted.set(cell, { as: asBefore, cell: painted });
    return painted;
  }

  /** A range of a cell's lines, ready for the screen. */
  rows({ lines, isCode, theme }: PaintedCell, from: number, to: number, isSelected: boolean): readonly string[] {
    return lines.slice(from, to).map((line, at) => {
      const plain = line.part === "source" && isCode ? theme.border("│") : " ";
      const bar = isSelected ? theme.accent("┃") : plain;
      return `${bar} ${this.#visible(line, from + at, from, to)}`.trimEnd();
    });
  }

  /** The terminal cannot draw a picture that is only partly on the screen. */
  #visible({ text, picture }: CellLine, at: number, from: number, to: number): string {
    if (picture === undefined) return text;
    const first = at - picture.row;
    const isWhole = first >= from && first + picture.room.rows <= to;
    const { whole, inPart } = this.#pictures;
    if (isWhole || whole.options.protocol === "half-block") return text;
    return inPart.block(picture.image, picture.room)?.lines[picture.row] ?? "";
  }

  #draw(image: ImagePart, columns: number, { rows }: CellCanvas, place: string): PictureBlock | null {
    const limit = { columns, rows: Math.max(4, Math.min(highestPicture, rows - 4)) };
    return this.#pictures.areWanted ? this.#pictures.whole.block(image, limit, place) : null;
  }
}

type EditMode = Mode & { readonly type: "edit" };

/** A cell with its source in the editor. */
function editedLines(
  cell: NotebookCell,
  pieces: readonly PaintedPiece[],
  look: CellLook,
  { editor }: EditMode,
  { rows }: CellCanvas,
): readonly CellLine[] {
  const { text, cursor } = editor.buffer;
  const source = drawEditor(showable(text), showable(text.slice(0, cursor)).length, {
    width: look.width,
    maxRows: Math.max(1, rows - 1),
    theme: look.theme,
    language: cell.type === "code" ? "python" : cell.type,
    prompts: ["", ""],
    promptWidth: 0,
  });
  return [
    { part: "head", text: headLine(cell, look) },
    ...source.map((line) => ({ part: "source", text: line }) as const),
    ...outputLines(pieces, look).map((line) => ({ part: "output", ...line }) as const),
  ];
}

/** A terminal would obey control characters, and programs disagree on tab stops. */
function showable(text: string): string {
  return text.replaceAll("\t", "    ").replaceAll(controls, "␦");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;
