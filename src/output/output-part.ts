import type { CapturedDisplay, ShownPart, TextLook } from "./capture.ts";
import { isStandIn, type TextBeginning } from "./display/display-part.ts";
import { tailWithin } from "./text/utf8-cut.ts";

/** A piece of what an execution put out. All texts, one after the other, are the output. */
export type OutputPart =
  /** What was printed, and sentences of ours: what was left out, for example. */
  | { readonly type: "text"; readonly text: string }
  | DisplayOutput
  /** A traceback, by the name of its exception; the text is "" when it was left out. */
  | { readonly type: "error"; readonly name: string; readonly text: string; readonly whole: Span };

export interface DisplayOutput {
  readonly type: "display";
  readonly display: CapturedDisplay;
  /** @internal */
  readonly begins: TextBeginning | undefined;
  /** What the output shows of the display's text, in whole lines; "" when it has none, or that was left out. */
  readonly text: string;
  /** Where its text is in all of the output, in UTF-16 units. */
  readonly whole: Span;
}

/** A display, and how its text begins. */
export interface ShownDisplay {
  readonly display: CapturedDisplay;
  readonly begins: TextBeginning | undefined;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

export function outputOf(parts: readonly OutputPart[]): string {
  return parts.map(({ text }) => text).join("");
}

export function displaysIn(parts: readonly OutputPart[]): readonly CapturedDisplay[] {
  return parts.flatMap((part) => (part.type === "display" ? [part.display] : []));
}

/** The last of it, in so many bytes of text; what was displayed before that comes first. */
export function lastParts(parts: readonly OutputPart[], bytes: number): readonly OutputPart[] {
  let room = bytes;
  const kept = parts.toReversed().flatMap((part): readonly OutputPart[] => {
    const text = tailWithin(part.text, room);
    room -= Buffer.byteLength(text);
    return text === "" && part.type !== "display" ? [] : [{ ...part, text }];
  });
  return kept.reverse();
}

/**
 * Where a display or a traceback stands, for those who keep an output and its displays apart, as the details of a tool call
 * do, which hosts store.
 */
export interface DisplayPlace {
  /** What it takes of the output. */
  readonly shown: Span;
  /** What it takes of all of the output, of which that may be a part. */
  readonly whole: Span;
  /** How many of the parts are its own. */
  readonly parts: number;
  /** Whether these parts show all that its text says. */
  readonly isStandIn: boolean;
  /** The exception that was raised, of a traceback. */
  readonly raised?: string | undefined;
  /** @internal How its text looks on a terminal, where it was captured for one. */
  readonly look?: TextLook | undefined;
}

export function placesIn(parts: readonly OutputPart[]): readonly DisplayPlace[] {
  const places: DisplayPlace[] = [];
  let at = 0;
  for (const part of parts) {
    const shown = { start: at, end: at + part.text.length };
    at = shown.end;
    if (part.type === "text") continue;
    if (part.type === "error") {
      places.push({ shown, whole: part.whole, parts: 0, isStandIn: false, raised: part.name });
      continue;
    }
    const { display, begins, whole } = part;
    const { text, parts: own, look } = display;
    places.push({ shown, whole, parts: own.length, isStandIn: isStandIn(text, begins, own), ...(look && { look }) });
  }
  return places;
}

/** Text to be read, text with a look of its own, or what was displayed besides text. */
export type OutputPiece = string | LookedText | readonly ShownPart[];

export interface LookedText {
  readonly text: string;
  readonly look: TextLook;
}

/**
 * What was put out, in order, without the texts that only stand for a picture or a tree.
 * @param form whether `output` is what a result shows, or all there was
 */
export function piecesAt(
  places: readonly DisplayPlace[],
  { output, parts, form }: { output: string; parts: readonly ShownPart[]; form: "shown" | "whole" },
): readonly OutputPiece[] {
  const pieces: OutputPiece[] = [];
  let at = 0;
  let used = 0;
  for (const place of places) {
    const { start, end } = place[form];
    const text = place.isStandIn ? "" : output.slice(start, end);
    const look = place.raised === undefined ? place.look : errorLook;
    if (look !== undefined && hasLook(look) && text !== "") pieces.push(output.slice(at, start), { text, look });
    else pieces.push(output.slice(at, start) + text);
    pieces.push(parts.slice(used, used + place.parts));
    at = end;
    used += place.parts;
  }
  return [...pieces, output.slice(at), parts.slice(used)].filter((piece) =>
    typeof piece === "object" && "look" in piece ? true : piece.length > 0,
  );
}

const errorLook: TextLook = { kind: "error", coloured: null };

function hasLook({ kind, coloured }: TextLook): boolean {
  return kind !== "text" || coloured !== null;
}
