import { isUtf8 } from "node:buffer";
import { GranaryError } from "../../support/granary-error.ts";
import { newline } from "../../support/json/bytes.ts";
import type { ObjectText } from "../../support/json/object-text.ts";
import type { JsonSyntaxError } from "../../support/json/tokens.ts";

/** The error for a file without a list of cells. */
export function withoutCells(frame: ObjectText, name: string): GranaryError {
  if (frame.has("cells")) {
    return new GranaryError("cells-not-array", `${name} is not a notebook: its "cells" have to be a list.`);
  }
  return new GranaryError("missing-cells", `${name} is not a notebook: it has no "cells".`);
}

export function notJson(error: JsonSyntaxError, bytes: Buffer, name: string): GranaryError {
  const { line, column } = lineAndColumn(bytes, error.offset);
  const why = `${name} is not valid JSON at line ${line}, column ${column}: ${error.message}.`;
  return new GranaryError(
    "invalid-json",
    `${why} The file is unchanged; fix it there, or restore an earlier version.`,
    { details: { line, column, why }, cause: error },
  );
}

export function notUtf8(bytes: Buffer, name: string): GranaryError {
  let start = 0;
  let line = 1;
  for (;;) {
    const lineEnd = bytes.indexOf(newline, start);
    const end = lineEnd === -1 ? bytes.length : lineEnd + 1;
    if (!isUtf8(bytes.subarray(start, end)) || lineEnd === -1) break;
    start = end;
    line++;
  }
  const why = `${name} is not valid JSON: line ${line} is not UTF-8.`;
  return new GranaryError("invalid-json", `${why} The file is unchanged; save it as UTF-8 first.`, {
    details: { line, column: 1, why },
  });
}

/** A byte's position as an editor counts: lines and characters from 1. */
function lineAndColumn(bytes: Buffer, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1 && at < offset; at = bytes.indexOf(0x0a, at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: [...bytes.toString("utf8", lineStart, offset)].length + 1 };
}
