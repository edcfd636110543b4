// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what this file is about
import { characterBefore, readUnseen, unseenUnits } from "../text/unseen.ts";

/** Gets the pieces of terminal output. */
export interface VtHandler {
  /** Visible text, with tabs and line feeds. */
  text(text: string): void;
  carriageReturn(): void;
  backspace(): void;
  /** A control sequence, `CSI parameters final`. Sequences with private or intermediate characters are dropped. */
  sequence(final: string, parameters: string): void;
}

// No real sequence is longer, and a stray introducer must not swallow a program's later output.
const longestParameters = 256;
const longestString = 1024 * 1024;

// Everything that is not plain text: C0 without tab and line feed, DEL, C1, and invisible characters.
const special = new RegExp(`[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f${unseenUnits}]`, "g");
const parameters = /[\x20-\x3f]{0,256}/y;
const endOfString = /[\x07\n\x18\x1a\x1b\x80-\x9f]/g;
const endOfDeviceString = /[\x07\x18\x1a\x1b\x80-\x9f]/g; // pictures (sixel) contain line ends

const LF = 0x0a;
const ESC = 0x1b;

type State = "ground" | "escape" | "escape-intermediate" | "csi" | "string" | "device-string";

/**
 * Splits a stream of terminal output (ECMA-48 as xterm reads it), independent of chunks. Drops titles, links,
 * pictures and other strings; a string ends with its line, except a device control string.
 */
export class VtParser {
  #state: State = "ground";
  #parameters = "";
  #stringLength = 0;
  /** The beginning of a character, or of several that belong together, whose rest is in the next chunk. */
  #half = "";
  /** The last character of the text so far. */
  #before = "";
  #isEnd = false;

  feed(chunk: string, handler: VtHandler): void {
    const text = this.#wholeCharacters(chunk);
    let at = 0;
    while (at < text.length) at = this.#read(text, at, handler);
  }

  /** Ends the stream: drops an unfinished sequence. */
  end(handler: VtHandler): void {
    const half = wellFormed(this.#half);
    this.#half = "";
    this.#isEnd = true;
    for (let at = 0; at < half.length; ) at = this.#read(half, at, handler);
    this.#isEnd = false;
    this.#state = "ground";
  }

  #wholeCharacters(chunk: string): string {
    let text = this.#half === "" ? chunk : this.#half + chunk;
    this.#half = "";
    const last = text.charCodeAt(text.length - 1);
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#half = text.slice(-1);
      text = text.slice(0, -1);
    }
    return wellFormed(text);
  }

  /** Reads from `at`, and returns the new position. */
  #read(text: string, at: number, handler: VtHandler): number {
    switch (this.#state) {
      case "ground":
        return this.#readText(text, at, handler);
      case "escape":
      case "escape-intermediate":
        return this.#readEscape(text, at, handler);
      case "csi":
        return this.#readSequence(text, at, handler);
      case "string":
        return this.#readString(text, at, endOfString, handler);
      case "device-string":
        return this.#readString(text, at, endOfDeviceString, handler);
    }
  }

  #readText(text: string, at: number, handler: VtHandler): number {
    special.lastIndex = at;
    const end = special.exec(text)?.index ?? text.length;
    if (end > at) {
      handler.text(at === 0 && end === text.length ? text : text.slice(at, end));
      this.#before = text.slice(Math.max(0, end - 2), end);
    }
    if (end === text.length) return end;
    const code = text.charCodeAt(end);
    if (code > 0x9f) return this.#readUnseen(text, end, handler);
    if (code !== 0x0d || text.charCodeAt(end + 1) !== LF) this.#control(code, handler); // a line feed also returns the cursor
    return end + 1;
  }

  #readUnseen(text: string, at: number, handler: VtHandler): number {
    const before = characterBefore(this.#before, this.#before.length);
    const unseen = readUnseen(text, at, before, this.#isEnd);
    if (unseen === null) {
      this.#half = text.slice(at) + this.#half;
      return text.length;
    }
    handler.text(unseen.shown);
    this.#before = unseen.shown;
    return at + unseen.length;
  }

  #readEscape(text: string, at: number, handler: VtHandler): number {
    const code = text.charCodeAt(at);
    if (isControl(code)) return this.#controlInside(code, at, handler);
    const isFirst = this.#state === "escape";
    this.#state = "ground";
    if (code > 0x9f) return at;
    if (code < 0x30) this.#state = "escape-intermediate";
    else if (isFirst && code >= 0x40 && code <= 0x5f) this.#control(code + 0x40, handler); // ESC [ is CSI, and so on
    return at + 1;
  }

  #readSequence(text: string, at: number, handler: VtHandler): number {
    parameters.lastIndex = at;
    parameters.test(text);
    const end = Math.min(parameters.lastIndex, at + longestParameters - this.#parameters.length);
    this.#parameters += text.slice(at, end);
    if (this.#parameters.length === longestParameters) this.#state = "ground";
    else if (end < text.length) return this.#endSequence(text, end, handler);
    return end;
  }

  #endSequence(text: string, at: number, handler: VtHandler): number {
    const code = text.charCodeAt(at);
    if (isControl(code)) return this.#controlInside(code, at, handler);
    this.#state = "ground";
    if (code > 0x9f) return at;
    if (/^[\d;:]*$/.test(this.#parameters)) handler.sequence(text.charAt(at), this.#parameters);
    return at + 1;
  }

  #readString(text: string, at: number, terminator: RegExp, handler: VtHandler): number {
    const limit = at + longestString - this.#stringLength;
    terminator.lastIndex = at;
    const end = Math.min(terminator.exec(text)?.index ?? text.length, limit);
    this.#stringLength += end - at;
    if (end < limit && end === text.length) return end;
    this.#state = "ground";
    if (end === limit) return end;
    const code = text.charCodeAt(end);
    if (code !== 0x07) this.#control(code, handler);
    return end + 1;
  }

  /** A control character inside a sequence acts at once; most leave the sequence unchanged. */
  #controlInside(code: number, at: number, handler: VtHandler): number {
    const endsSequence = code === 0x18 || code === 0x1a || code >= 0x80;
    if (endsSequence) this.#state = "ground";
    this.#control(code, handler);
    return at + 1;
  }

  #control(code: number, handler: VtHandler): void {
    switch (code) {
      case 0x08:
        return handler.backspace();
      case 0x09:
        return handler.text("\t");
      case LF:
      case 0x85: // next line
        return handler.text("\n");
      case 0x0d:
        return handler.carriageReturn();
      case ESC:
        this.#state = "escape";
        return;
      case 0x9b:
        this.#state = "csi";
        this.#parameters = "";
        return;
      case 0x90:
        this.#beginString("device-string");
        return;
      case 0x98:
      case 0x9d:
      case 0x9e:
      case 0x9f:
        this.#beginString("string");
        return;
    }
  }

  #beginString(kind: "string" | "device-string"): void {
    this.#state = kind;
    this.#stringLength = 0;
  }
}

const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code <= 0x9f);

/** Every supported runtime has this, but TypeScript's ES2023 library does not know it yet. */
const wellFormed = (text: string): string => (text as string & { toWellFormed(): string }).toWellFormed();
