export type PythonValue =
  | string
  | number
  | bigint
  | NumberAsWritten
  | boolean
  | null
  | readonly PythonValue[]
  | { readonly [key: string]: PythonValue };

/** A number that Python is to read as somebody wrote it: here 1.0 would become 1, and a long one another. */
export class NumberAsWritten {
  readonly text: string;

  /** @param text as Python reads it */
  constructor(text: string) {
    this.text = text;
  }
}

/** In levels of brackets: Python 3.8 gives up at a hundred, later ones at two hundred. */
export const deepestLiteral = 90;

/** A value as Python source: one line of ASCII, so that nothing on its way takes part of it for a line end. */
export function pythonLiteral(value: PythonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return numberLiteral(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string") return stringLiteral(value);
  if (value instanceof NumberAsWritten) return value.text;
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  const entries = Object.entries(value).map(([key, item]) => `${stringLiteral(key)}: ${pythonLiteral(item)}`);
  return `{${entries.join(", ")}}`;
}

/** Python has no literals for what is no finite number. */
function numberLiteral(value: number): string {
  if (Number.isNaN(value)) return "float('nan')";
  if (!Number.isFinite(value)) return value < 0 ? "float('-inf')" : "float('inf')";
  return Object.is(value, -0) ? "-0.0" : String(value);
}

/** What JSON escapes, Python reads in the same way. */
function stringLiteral(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/gu, escaped);
}

/** By code point: Python does not join two halves of a surrogate pair. */
function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
}

function hex(point: number, digits: number): string {
  return point.toString(16).padStart(digits, "0");
}
