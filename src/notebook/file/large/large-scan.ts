import { isAscii, isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { afterMark, openBrace, openBracket } from "../../../support/json/bytes.ts";
import { ObjectText, SpanList } from "../../../support/json/object-text.ts";
import { parseSpan } from "../../../support/json/parse.ts";
import { JsonScanner } from "../../../support/json/scanner.ts";
import { isSorted } from "../../../support/json/style.ts";
import { JsonSyntaxError } from "../../../support/json/tokens.ts";
import type { Notebook } from "../../notebook.ts";
import { checkCell } from "../../parse/check-cell.ts";
import { parseNotebook } from "../../parse/parse-notebook.ts";
import { CellOnDisk } from "./cell-on-disk.ts";
import { NeedsWholeFile } from "./needs-whole-file.ts";

/**
 * Checks a notebook as the parser does, window by window, and keeps only what is not in cells. It never reports what is wrong: then the
 * whole file is needed. A cell that is not complete may be damaged or may still arrive, so its scan begins again with the next window.
 */
export class LargeScan {
  readonly #file: FileHandle;
  readonly #cells: CellOnDisk[] = [];
  readonly #leads: Buffer[] = [];
  /** The bytes up to the bracket of the cells. */
  #head: Buffer | null = null;
  /** The bytes between the last cell and the closing bracket, once that is known. */
  #end: Buffer | null = null;
  /** The bytes from the closing bracket on. */
  readonly #tail: Buffer[] = [];
  #sortsKeys = true;
  #sawEscapedCharacter = false;
  #isAscii = true;
  /** With fewer bytes, another attempt is not worthwhile. */
  #enough = 0;
  #lastLength = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** For `readWindows`. */
  advance(window: Buffer, start: number, isLast: boolean): number {
    if (this.#end !== null) return this.#keepTail(window);
    if (window.length < this.#enough && !isLast) return 0;
    const scan = new WindowScan(window, start, isLast);
    try {
      this.#readCells(scan);
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
    }
    const { done } = scan;
    this.#sawEscapedCharacter ||= scan.scanner.sawEscapedCharacter;
    this.#checkEncoding(window.subarray(0, done));
    if (this.#end !== null) return this.#keepTail(window, done);
    // For one very long cell, attempts must not be frequent.
    this.#enough = 2 * (window.length - done);
    return done;
  }

  /** The notebook, once the last window was scanned. */
  notebook(): Notebook {
    if (this.#head === null || this.#end === null) throw new NeedsWholeFile();
    const withoutCells = Buffer.concat([this.#head, ...this.#tail]);
    const frame = parseNotebook(withoutCells);
    const isUsual = frame.upgradedFrom === undefined && frame.frame.keys.filter((key) => key === "cells").length === 1;
    if (!isUsual) throw new NeedsWholeFile();
    const { sortsKeys, escapesNonAscii } = frame.style;
    return {
      ...frame,
      cells: this.#cells,
      leads: this.#leads,
      end: this.#end,
      style: {
        ...frame.style,
        sortsKeys: sortsKeys && this.#sortsKeys,
        escapesNonAscii: (escapesNonAscii || this.#sawEscapedCharacter) && this.#isAscii && isAscii(withoutCells),
      },
    };
  }

  #readCells(scan: WindowScan): void {
    const { scanner, window } = scan;
    if (this.#head !== null) return this.#readList(scan);
    scanner.at = afterMark(window);
    scanner.readObject((keyStart, keyEnd) => {
      const isFirst = this.#head === null && parseSpan(window, keyStart, keyEnd) === "cells";
      if (!isFirst || scanner.peek() !== openBracket) return scanner.skipValue();
      this.#head = Buffer.from(window.subarray(0, scanner.at + 1));
      scan.done = scanner.at;
      this.#readList(scan);
    });
  }

  /** The window is done up to the opening bracket, or else up to the end of a cell. */
  #readList(scan: WindowScan): void {
    const { scanner, window } = scan;
    const element = () => this.#add(scan);
    scanner.at = scan.done;
    const isNew = this.#cells.length === 0;
    if (isNew) scanner.readArray(element);
    else scanner.readMoreOfArray(element);
    const stop = scanner.at - 1;
    const from = this.#cells.length === 0 ? scan.done + 1 : scan.done;
    this.#end = Buffer.from(window.subarray(from, stop));
    scan.done = stop;
  }

  #add(scan: WindowScan): void {
    const { scanner, window } = scan;
    const first = scanner.peek();
    if (first === -1) scanner.fail("the text ends too early");
    if (first !== openBrace) throw new NeedsWholeFile();
    const start = scanner.at;
    // A cell is often as long as the one before, and a scan of its beginning would be for nothing.
    if (window.length - start < this.#lastLength && !scan.isLast) scanner.fail("the text may end too early");
    const cell = ObjectText.read(scanner, scan.spans);
    const index = this.#cells.length;
    checkCell(cell, index, "", scan.checker);
    this.#addLead(window, index === 0 ? scan.done + 1 : scan.done, start);
    if (index === 0) this.#sortsKeys = isSorted(cell.keys);
    const place = { index, start: scan.start + start, end: scan.start + scanner.at };
    this.#cells.push(new CellOnDisk(this.#file, place, cell));
    this.#lastLength = scanner.at - start;
    scan.done = scanner.at;
  }

  /** Nearly always the same few bytes, so one copy is shared. */
  #addLead(window: Buffer, from: number, to: number): void {
    const last = this.#leads.at(-1);
    const isLikeLast = last?.length === to - from && last.compare(window, from, to) === 0;
    this.#leads.push(isLikeLast ? last : Buffer.from(window.subarray(from, to)));
  }

  /** Where the bytes end, no character is cut in two. */
  #checkEncoding(bytes: Buffer): void {
    this.#isAscii &&= isAscii(bytes);
    if (!this.#isAscii && !isUtf8(bytes)) throw new NeedsWholeFile();
  }

  #keepTail(window: Buffer, from = 0): number {
    this.#tail.push(Buffer.from(window.subarray(from)));
    return window.length;
  }
}

/** One window, and how far it is done. */
class WindowScan {
  readonly window: Buffer;
  /** Its position in the file. */
  readonly start: number;
  readonly isLast: boolean;
  readonly scanner: JsonScanner;
  /** Looks at complete cells again. */
  readonly checker: JsonScanner;
  readonly spans = new SpanList();
  done = 0;

  constructor(window: Buffer, start: number, isLast: boolean) {
    this.window = window;
    this.start = start;
    this.isLast = isLast;
    this.scanner = new JsonScanner(window);
    this.checker = new JsonScanner(window);
  }
}
