import type { ShownPart } from "../../output/capture.ts";
import { type LookedText, type OutputPiece, piecesAt } from "../../output/output-part.ts";
import type { CellDetails } from "../../tools/definition/details.ts";
import { highlight } from "../highlight/highlight.ts";
import { type OutputOptions, printedLines, renderLines, renderOutput } from "../lines/output-lines.ts";
import { colouredLines } from "../text/coloured-lines.ts";
import { printableLines } from "../text/printable.ts";
import type { Theme } from "../theme/theme.ts";
import { renderParts } from "./display-parts.ts";
import { raisedLines } from "./traceback.ts";

interface OrderedOutput {
  /** The whole output, when `cell.output` is a part of it and everything should be shown. */
  readonly whole?: string | null;
  readonly shorten?: (text: string) => string;
}

interface TextOptions extends OutputOptions {
  readonly shorten: (text: string) => string;
}

/** A cell's output in order, and then its status events. */
export function renderOrderedOutput(
  cell: Pick<CellDetails, "output" | "parts" | "places">,
  options: OutputOptions,
  { whole = null, shorten = (text) => text }: OrderedOutput = {},
): readonly string[] {
  const form = whole === null ? "shown" : "whole";
  const pieces = piecesAt(cell.places ?? [], { output: whole ?? cell.output, parts: cell.parts, form });
  const events = cell.parts.filter(({ type }) => type === "status");
  return [...renderPieces(pieces, { ...options, shorten }), ...renderParts(events, options)];
}

/**
 * Every text between pictures has its own preview: a figure must not hide its heading, and
 * scrolled-away lines in a terminal should not change. A page has one as well, and begins at its top.
 */
function renderPieces(pieces: readonly OutputPiece[], options: TextOptions): readonly string[] {
  const rows: string[] = [];
  let texts: (string | LookedText)[] = [];
  const endText = (): void => {
    rows.push(...renderTexts(texts, options));
    texts = [];
  };
  for (const piece of pieces) {
    if (isParts(piece)) {
      const besidesEvents = piece.filter(({ type }) => type !== "status");
      if (besidesEvents.length === 0) continue;
      endText();
      rows.push(...renderParts(besidesEvents, options));
    } else if (typeof piece !== "string" && piece.look.kind === "page") {
      endText();
      rows.push(...renderLines(linesOf(piece, options), { ...options, keeps: "beginning" }));
    } else texts.push(piece);
  }
  endText();
  return rows;
}

function renderTexts(texts: readonly (string | LookedText)[], options: TextOptions): readonly string[] {
  const [only = "", ...others] = texts;
  if (others.length === 0 && typeof only === "string") return renderOutput(options.shorten(only), options);
  const lines = texts.flatMap((text) => linesOf(text, options));
  while (lines.at(-1)?.trim() === "") lines.pop();
  return lines.length === 0 ? [] : renderLines(lines, options);
}

function linesOf(piece: string | LookedText, options: TextOptions): readonly string[] {
  if (typeof piece === "string") return printedLines(options.shorten(withoutLastLineEnd(piece)));
  const { text, look } = piece;
  if (look.kind === "error") return raisedLines(options.shorten(withoutLastLineEnd(text)), options.theme);
  const isShortened = look.coloured !== null && options.shorten(look.coloured) !== look.coloured;
  const shown = { text: options.shorten(text), look: isShortened ? { ...look, coloured: null } : look };
  return valueLines(shown, options.theme);
}

// `Array.isArray` does not narrow readonly arrays.
const isParts = (piece: OutputPiece): piece is readonly ShownPart[] => Array.isArray(piece);

/** Removed, because the next piece begins on a new line anyway. */
const withoutLastLineEnd = (text: string): string => (text.endsWith("\n") ? text.slice(0, -1) : text);

/** A longer one is shown as it is: nobody reads it for its colours. */
const longestPainted = 20_000;

/** A text that was displayed: in its own colours, or in those of Python where it is written as Python code is. */
function valueLines({ text, look }: LookedText, theme: Theme): readonly string[] {
  const coloured = look.coloured === null ? null : colouredLines(look.coloured.trimEnd());
  if (coloured !== null) return coloured;
  const lines = text.trimEnd().split("\n").flatMap(printableLines);
  return look.kind === "value" && isPythonCode(text) ? highlight(lines, "python", theme) : lines;
}

/** A container, a text, a number, a constant or a call such as `Point(x=1)`; a table of numbers is none. */
function isPythonCode(text: string): boolean {
  if (text.length > longestPainted) return false;
  return /^(?:[[({'"]|[a-zA-Z]{0,2}['"]|(?:None|True|False|-?[\d.]+(?:e[+-]?\d+)?j?)\s*$|[A-Za-z_][\w.]*\()/.test(text);
}
