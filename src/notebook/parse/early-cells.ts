import { isUtf8 } from "node:buffer";
import { afterMark, openBracket } from "../../support/json/bytes.ts";
import { parseSpan } from "../../support/json/parse.ts";
import { JsonScanner } from "../../support/json/scanner.ts";
import { JsonSyntaxError } from "../../support/json/tokens.ts";
import { CellScan } from "./cell-scan.ts";

/**
 * Scans the cells of a large file while the rest of it is being read. It never judges: a cell that is not complete may be
 * damaged or may still arrive, so the parser of the whole file begins after the last complete cell.
 */
export class EarlyCells {
  /** The whole file's memory. */
  readonly bytes: Buffer;
  /** The bytes before this position are UTF-8. */
  checked = 0;
  #list: CellScan | null = null;
  /** With fewer bytes, another attempt is not worthwhile. */
  #enough = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** @param arrived the number of bytes that have been read, without a gap */
  advance(arrived: number): void {
    if (arrived < this.#enough) return;
    const scanner = new JsonScanner(this.bytes, afterMark(this.bytes), arrived);
    try {
      if (this.#list === null) this.#findList(scanner);
      else this.#list.read(scanner);
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
    }
    const done = this.#list?.end ?? 0;
    // The next attempt begins here again. For one very long cell, attempts must not be frequent.
    this.#enough = done + 2 * (arrived - done);
    // After a cell, no character is cut in two.
    if (isUtf8(this.bytes.subarray(this.checked, done))) this.checked = done;
  }

  /** The list with its bracket at this position, as far as it was scanned. */
  listAt(bracket: number): CellScan | null {
    return this.#list?.start === bracket + 1 ? this.#list : null;
  }

  #findList(scanner: JsonScanner): void {
    scanner.readObject((keyStart, keyEnd) => {
      const isCells = parseSpan(scanner.bytes, keyStart, keyEnd) === "cells";
      if (isCells && scanner.peek() === openBracket) {
        this.#list = new CellScan(scanner.at);
        this.#list.read(scanner);
      } else scanner.skipValue();
    });
  }
}
