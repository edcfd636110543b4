import type { CapturedDisplay, ShownPart, TextLook } from "./capture.ts";
import { isStandIn, type TextBeginning } from "./display/display-part.ts";
import { tailWithin } from "./text/utf8-cut.ts";

/** A part of an execution's output. All texts, joined in order, are the output. */
export type OutputPart =
  /** Printed text, and sentences of Granary's, such as the line about omitted output. */
  | {
      readonly type: "text";
      readonly text: string;
      /** @internal A line of Granary, which is not escaped. */
      readonly isOwn?: true;
    }
  | DisplayOutput
  /** A traceback, by the name of its exception; the text is "" when it was left out. */
  | { readonly type: "error"; readonly name: string; readonly text: string; readonly whole: Span };

export interface DisplayOutput {
  readonly type: "display";
  readonly display: CapturedDisplay;
  /** @internal */
  readonly begins: TextBeginning | undefined;
  /** The part of the display's text that the output shows, in whole lines; "" if it has none or was omitted. */
  readonly text: string;
  /** The position of its text in the whole output, in UTF-16 units. */
  readonly whole: Span;
}

/** A display, and the beginning of its text. */
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

/** The last parts, with so many bytes of text; earlier displays come first. */
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
 * The place of a display or a traceback, for hosts that store output and displays separately, as in the details of a tool
 * call.
 */
export interface DisplayPlace {
  /** Its range in the shown output. */
  readonly shown: Span;
  /** Its range in the whole output, of which the shown output may be a part. */
  readonly whole: Span;
  /** Number of its parts. */
  readonly parts: number;
  /** Whether these parts show everything that its text has. */
  readonly isStandIn: boolean;
  /** The exception that was raised, of a traceback. */
  readonly raised?: string | undefined;
  /** @internal Its text for a terminal, if captured for one. */
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

/** Plain text, text with its own formatting, or a display besides text. */
export type OutputPiece = string | LookedText | readonly ShownPart[];

export interface LookedText {
  readonly text: string;
  readonly look: TextLook;
}

/**
 * The output in order, without texts that only represent a picture or a tree.
 * @param form whether `output` is the shown or the whole output
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
