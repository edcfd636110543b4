import { jsonLength } from "../support/json/deep-json.ts";
import type { CapturedDisplay } from "./capture.ts";
import type { OutputPart, ShownDisplay } from "./output-part.ts";
import type { ShownPiece, TextMark } from "./text/marked-text.ts";

/** A display at its place in the text. */
class DisplayMark implements TextMark {
  shown: ShownDisplay;
  isGone = false;

  constructor(shown: ShownDisplay) {
    this.shown = shown;
  }
}

/** An exception at its place in the text. */
export class ErrorMark implements TextMark {
  readonly name: string;
  readonly isGone = false;

  constructor(name: string) {
    this.name = name;
  }
}

/** A sentence of Granary at its place in the text, which code cannot forge. */
export class NoteMark implements TextMark {
  readonly isGone = false;
}

const mostDisplays = 1000;
/** In characters, for the texts and values of all displays together; the result's text has its own budget. */
const mostDisplayed = 16_000_000;

/** The displays of an execution: with their updates, and only as many as a result may have. */
export class ShownDisplays {
  #marks: DisplayMark[] = [];
  /** Their total size. */
  #size = 0;
  /** Counted along: a cell may display a million times. */
  #pictures = 0;

  get isEmpty(): boolean {
    return this.#marks.length === 0;
  }

  get pictures(): number {
    return this.#pictures;
  }

  add(shown: ShownDisplay): TextMark {
    const mark = new DisplayMark(shown);
    this.#marks.push(mark);
    this.#count(shown, 1);
    this.#dropOld();
    return mark;
  }

  /** Gives all displays with this one's id its content. */
  update(shown: ShownDisplay): void {
    for (const mark of this.#withId(shown.display.displayId)) {
      this.#count(mark.shown, -1);
      this.#count(shown, 1);
      mark.shown = shown;
    }
    this.#dropOld();
  }

  /** Moves the display with this id to another place; null if there is none. */
  move(displayId: string): TextMark | null {
    const [mark, ...others] = this.#withId(displayId);
    if (mark === undefined) return null;
    for (const each of [mark, ...others]) this.#drop(each);
    return this.add(mark.shown);
  }

  clear(): void {
    for (const mark of this.#marks) mark.isGone = true;
    this.#marks = [];
    this.#size = 0;
    this.#pictures = 0;
  }

  #withId(displayId: string | null): readonly DisplayMark[] {
    return displayId === null ? [] : this.#marks.filter(({ shown }) => shown.display.displayId === displayId);
  }

  /** The newest display always stays. */
  #dropOld(): void {
    while (this.#marks.length > mostDisplays || (this.#size > mostDisplayed && this.#marks.length > 1)) {
      this.#drop(this.#marks[0] as DisplayMark);
    }
  }

  #drop(mark: DisplayMark): void {
    mark.isGone = true;
    this.#marks.splice(this.#marks.indexOf(mark), 1);
    this.#count(mark.shown, -1);
  }

  #count({ display }: ShownDisplay, times: 1 | -1): void {
    this.#size += times * sizeOf(display);
    for (const { type } of display.parts) if (type === "image") this.#pictures += times;
  }
}

export function outputParts(pieces: readonly ShownPiece[]): readonly OutputPart[] {
  const parts: OutputPart[] = [];
  for (const { text, mark, whole } of pieces) {
    const last = parts.at(-1);
    if (mark instanceof DisplayMark && whole !== null) parts.push({ type: "display", text, whole, ...mark.shown });
    else if (mark instanceof ErrorMark && whole !== null) parts.push({ type: "error", name: mark.name, text, whole });
    else if (mark instanceof NoteMark) parts.push({ type: "text", text, isOwn: true });
    else if (last?.type === "text" && !last.isOwn) parts[parts.length - 1] = { type: "text", text: last.text + text };
    else if (text !== "") parts.push({ type: "text", text });
  }
  return parts;
}

/** Pictures are few, and not counted. */
function sizeOf({ text, parts }: CapturedDisplay): number {
  return parts.reduce((sum, part) => sum + (part.type === "json" ? jsonLength(part.value) : 0), text.length);
}
