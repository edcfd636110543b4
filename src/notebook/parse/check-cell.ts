import type { GranaryErrorCode } from "../../support/error-codes.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { openBracket, quote } from "../../support/json/bytes.ts";
import type { ObjectText } from "../../support/json/object-text.ts";
import type { JsonScanner } from "../../support/json/scanner.ts";

/**
 * Refuses a cell that cannot even be shown; a cell of unknown type can. Runs for every cell, so it decodes and allocates nothing:
 * `scanner` is one for the whole file.
 */
export function checkCell(cell: ObjectText | null, index: number, name: string, scanner: JsonScanner): void {
  const refuse = (code: GranaryErrorCode, what: string) =>
    new GranaryError(code, `Cell ${index} of ${name} ${what}. Fix it there, or delete it in the file.`, {
      details: { cellIndex: index },
    });
  if (cell === null) throw refuse("invalid-cell", "is not an object");

  const type = cell.spanOf("cell_type");
  if (type === null) throw refuse("invalid-cell-type", `has no "cell_type"; it has to be ${oneOfTheTypes}`);
  if (cell.bytes[type.valueStart] !== quote) {
    const written = cell.bytes.toString("utf8", type.valueStart, Math.min(type.valueEnd, type.valueStart + 40));
    throw refuse("invalid-cell-type", `has the type ${written}; it has to be ${oneOfTheTypes}`);
  }
  if (!hasTextAsSource(cell, scanner))
    throw refuse("invalid-source", "has a source that is neither text nor a list of lines");
}

const oneOfTheTypes = '"code", "markdown" or "raw"';

function hasTextAsSource(cell: ObjectText, scanner: JsonScanner): boolean {
  const source = cell.spanOf("source");
  if (source === null) return true;
  scanner.at = source.valueStart;
  if (scanner.peek() === quote) return true;
  if (scanner.peek() !== openBracket) return false;
  let isText = true;
  scanner.readArray(() => {
    if (scanner.peek() !== quote) isText = false;
    scanner.skipValue();
  });
  return isText;
}
