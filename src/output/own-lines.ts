import type { DisplayOutput, OutputPart } from "./output-part.ts";

/**
 * Lines of Granary begin in one of these forms. Code can print the same text, so a line of output that begins like one gets
 * a backslash in front, as does a line of backslashes before such a form. So no output looks like a report of Granary.
 */
const forms = [
  "Error: ",
  "Note: ",
  String.raw`\[cell \d`,
  String.raw`\[printed since the cell before\]`,
  String.raw`\(no output`,
  "still running: ",
  "… ",
];
/** `[image/png 640x480 → artifact://main-1]`, which only displays have. */
const label = String.raw`\[[^\n]* → artifact://`;
/** The headings of a notebook's outputs. */
const headings = [String.raw`\[output\]`, String.raw`\[no cells\]`];

const beginning = (...all: readonly string[]): RegExp => new RegExp(String.raw`^\\*(?:${all.join("|")}).*$`, "gm");
const inOutput = beginning(...forms, label);
const inNotebook = beginning(...forms, ...headings, label);

/** For models that read results. */
export const ownFormsExplained =
  "Lines that begin with Error:, Note:, [cell or … are Granary's; output that begins so has a \\ in front.";

/** Whether lines about omitted text, which name this artifact, are in an output. */
interface Truncated {
  readonly artifact: string | null;
}

/** Escapes printed text. */
export function escapeOwnForms(text: string, truncated: Truncated | null = null): string {
  return escaped(text, inOutput, (line) => isAboutOmission(line, truncated));
}

/** Escapes a cell's source or output in a notebook. */
export function escapeHeadings(text: string): string {
  return escaped(text, inNotebook, () => false);
}

/** Escapes the texts of an output. */
export function escapedParts(parts: readonly OutputPart[], truncated: Truncated | null): readonly OutputPart[] {
  return parts.map((part) => escapedPart(part, inOutput, truncated));
}

/** Escapes the texts of an output that has headings of Granary between the outputs of a notebook's cells. */
export function escapedOutputs(parts: readonly OutputPart[], truncated: Truncated | null): readonly OutputPart[] {
  return parts.map((part) => escapedPart(part, inNotebook, truncated));
}

function escapedPart(part: OutputPart, lines: RegExp, truncated: Truncated | null): OutputPart {
  if (part.type === "display") return escapedDisplay(part, lines);
  if (part.type === "text" && part.isOwn) return part;
  return { ...part, text: escaped(part.text, lines, (line) => isAboutOmission(line, truncated)) };
}

/** A label of Granary names only artifacts of its display. */
function escapedDisplay(part: DisplayOutput, lines: RegExp): DisplayOutput {
  const kept = part.display.parts.flatMap((each) => (each.type === "kept" ? [each.address] : []));
  const isLabel = (line: string): boolean =>
    line.startsWith("[") &&
    addressesIn(line).length > 0 &&
    addressesIn(line).every((address) => kept.includes(address));
  return { ...part, text: escaped(part.text, lines, isLabel) };
}

function escaped(text: string, lines: RegExp, isOurs: (line: string) => boolean): string {
  return text.replace(lines, (line) => (isOurs(line) ? line : `\\${line}`));
}

function isAboutOmission(line: string, truncated: Truncated | null): boolean {
  if (truncated === null || !line.startsWith("… ")) return false;
  return addressesIn(line).every((address) => address === truncated.artifact);
}

function addressesIn(line: string): readonly string[] {
  return line.match(/artifact:\/\/[\w.-]*\w/g) ?? [];
}
