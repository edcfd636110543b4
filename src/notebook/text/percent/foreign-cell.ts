import type { JsonObject } from "../../../support/json/value.ts";

/** A code cell that is not Python: `%%bash -s 1` and the lines after it. In a script all of it is a comment. */
export interface ForeignCell {
  /** Its options in the marker: `magic_args="-s 1" language="bash"`. */
  readonly metadata: JsonObject;
  /** Null when nothing follows the first line. */
  readonly body: string | null;
}

export function asForeignCell(source: string): ForeignCell | null {
  const match = /^%%(\w+)(?: ([^\n]+))?(?:\n(.*))?$/s.exec(source);
  const [, language = "", args, body = null] = match ?? [];
  if (!languages.has(language)) return null;
  return { metadata: args === undefined ? { language } : { magic_args: args, language }, body };
}

/** The cell's source, and its metadata without the language options; null for a cell in Python. */
export function fromForeignCell(
  metadata: JsonObject,
  body: string | null,
): { readonly source: string; readonly metadata: JsonObject } | null {
  const { language, magic_args: args, ...rest } = metadata;
  if (typeof language !== "string" || !languages.has(language)) return null;
  const magic = `%%${language}${typeof args === "string" ? ` ${args}` : ""}`;
  return { source: body === null ? magic : `${magic}\n${body}`, metadata: rest };
}

// jupytext's languages whose magic is one word and whose code is not Python.
const languages = new Set(
  (
    "R bash sh cython gnuplot go groovy haskell html idl java javascript js julia latex lua markdown matlab maxima " +
    "octave perl powershell ruby rust sas scala scheme script sos spark sql stata svg tcl typescript xonsh"
  ).split(" "),
);
