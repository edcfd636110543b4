import type { CapturedDisplay, ShownPart } from "../../output/capture.ts";
import { jsonTree } from "../../output/display/json-tree.ts";

/** Text, or what was displayed besides text. */
export type OutputPiece = string | readonly ShownPart[];

export interface TextOfOutput {
  readonly text: string;
  /** False when something of it is left out, as of the end of an output that is still growing. */
  readonly isWhole: boolean;
}

/**
 * What was put out, in the order in which it happened. A display is where its text is, looked for from the end; one whose
 * text was left out came before what is left.
 */
export function outputInOrder(
  { text, isWhole }: TextOfOutput,
  displays: readonly CapturedDisplay[],
): readonly OutputPiece[] {
  const earlier: OutputPiece[] = [];
  const later: OutputPiece[] = [];
  let end = text.length;
  for (const display of displays.filter(hasMoreThanText).reverse()) {
    const at = lastLines(text, display.text, end);
    if (at === -1) {
      (isWhole || display.text === "" ? later : earlier).push(display.parts);
      continue;
    }
    const afterIt = Math.min(end, at + display.text.length + 1);
    later.push(text.slice(afterIt, end), display.parts);
    end = saysIt(display) ? at : afterIt;
  }
  const pieces = [...later, text.slice(0, end), ...earlier].reverse();
  return pieces.filter((piece) => typeof piece !== "string" || piece.trim() !== "");
}

function hasMoreThanText({ parts }: CapturedDisplay): boolean {
  return parts.some(({ type }) => type === "image" || type === "json");
}

/** Whether the parts make the text superfluous: it is a stand-in such as `<Figure size 640x480>`, or the same as a tree. */
function saysIt({ text, parts }: CapturedDisplay): boolean {
  if (parts.some(({ type }) => type === "kept")) return false;
  const isStandIn = /^<.*>$/.test(text) && parts.some(({ type }) => type === "image");
  return isStandIn || parts.some((part) => part.type === "json" && jsonTree(part.value).text === text);
}

/** Where these lines are the last time before `end`, whole; -1 when they are not there. */
function lastLines(text: string, lines: string, end: number): number {
  if (lines === "") return -1;
  let at = text.lastIndexOf(lines, end - lines.length);
  while (at !== -1) {
    const after = at + lines.length;
    if ((at === 0 || text[at - 1] === "\n") && (after === end || text[after] === "\n")) return at;
    at = at === 0 ? -1 : text.lastIndexOf(lines, at - 1);
  }
  return -1;
}
