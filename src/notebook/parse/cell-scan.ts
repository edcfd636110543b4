import { openBrace } from "../../support/json/bytes.ts";
import { ObjectText, SpanList } from "../../support/json/object-text.ts";
import type { JsonScanner } from "../../support/json/scanner.ts";

/** The list of cells as far as it was scanned. A scan that reached the end of the text continues once there is more. */
export class CellScan {
  /** The position after the opening bracket. */
  readonly start: number;
  /** An element that is not an object is null. */
  readonly cells: (ObjectText | null)[] = [];
  /** The bytes before each cell. */
  readonly leads: Buffer[] = [];
  /** The position after the last cell. */
  end: number;
  /** The position of the closing bracket, once it is known. */
  stop = -1;
  #escapesNonAscii = false;
  readonly #spans = new SpanList();

  /** @param bracket the position of the opening bracket */
  constructor(bracket: number) {
    this.start = bracket + 1;
    this.end = this.start;
  }

  /** Moves past the list. When that throws, the cells before remain. */
  read(scanner: JsonScanner): void {
    const element = () => this.#add(scanner);
    const isNew = this.cells.length === 0;
    scanner.at = isNew ? this.start - 1 : this.end;
    if (isNew) scanner.readArray(element);
    else scanner.readMoreOfArray(element);
    this.stop = scanner.at - 1;
    if (this.#escapesNonAscii) scanner.sawEscapedCharacter = true;
  }

  #add(scanner: JsonScanner): void {
    const { bytes } = scanner;
    const isObject = scanner.peek() === openBrace;
    const from = scanner.at;
    const cell = isObject ? ObjectText.read(scanner, this.#spans) : null;
    if (!isObject) scanner.skipValue();
    // A number may continue with the next bytes.
    if (!isObject && scanner.at === scanner.length && scanner.length < bytes.length)
      scanner.fail("the text ends too early");
    // Nearly always the same few bytes, so one view is shared.
    const last = this.leads.at(-1);
    const isLikeLast = last?.length === from - this.end && last.compare(bytes, this.end, from) === 0;
    this.leads.push(isLikeLast ? last : bytes.subarray(this.end, from));
    this.cells.push(cell);
    this.end = scanner.at;
    this.#escapesNonAscii ||= scanner.sawEscapedCharacter;
  }
}
