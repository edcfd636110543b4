import { piecesAt } from "../../output/output-part.ts";
import type { CellDetails } from "../../tools/definition/details.ts";
import { type OutputOptions, renderOutput } from "../lines/output-lines.ts";
import { renderParts } from "./display-parts.ts";

interface OrderedOutput {
  /** All of the output, where `cell.output` is a part of it and all is to be shown. */
  readonly whole?: string | null;
  readonly shorten?: (text: string) => string;
}

/**
 * What a cell put out, in order, and then what helpers did. Every text between pictures has a preview of its own: that a figure
 * has followed is no reason to hide its heading, and what has scrolled away in a terminal should not change.
 */
export function renderOrderedOutput(
  cell: Pick<CellDetails, "output" | "parts" | "places" | "error">,
  options: OutputOptions,
  { whole = null, shorten = (text) => text }: OrderedOutput = {},
): readonly string[] {
  const form = whole === null ? "shown" : "whole";
  const pieces = piecesAt(cell.places ?? [], { output: whole ?? cell.output, parts: cell.parts, form });
  const shown = pieces.flatMap((piece) => {
    if (typeof piece === "string") return renderOutput(shorten(piece), { ...options, errorName: cell.error?.name });
    const besidesEvents = piece.filter(({ type }) => type !== "status");
    return renderParts(besidesEvents, options);
  });
  const events = cell.parts.filter(({ type }) => type === "status");
  return [...shown, ...renderParts(events, options)];
}
