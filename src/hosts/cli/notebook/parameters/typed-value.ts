import { NumberAsWritten, type PythonValue } from "../../../../python/python-literal.ts";
import { openBrace, openBracket } from "../../../../support/json/bytes.ts";
import { deepestJson, isTooDeepText } from "../../../../support/json/deep-json.ts";
import { JsonScanner } from "../../../../support/json/scanner.ts";
import { UsageError } from "../../command/usage-error.ts";

/** What a person types, as papermill takes it: True, False, None, what `int()` or `float()` would read; else text. */
export function typedValue(typed: string): PythonValue {
  if (Object.hasOwn(pythonWords, typed)) return pythonWords[typed] as PythonValue;
  return pythonNumber(typed) ?? typed;
}

/** The same, and what JSON calls them: true, false, null, lists and objects. */
export function typedValueOrJson(typed: string): PythonValue {
  if (Object.hasOwn(jsonWords, typed)) return jsonWords[typed] as PythonValue;
  return /^\s*[[{]/.test(typed) ? (parseJson(typed) ?? typed) : typedValue(typed);
}

const pythonWords: Readonly<Record<string, PythonValue>> = { True: true, False: false, None: null };
const jsonWords: Readonly<Record<string, PythonValue>> = { true: true, false: false, null: null };

/** What Python's `int()` reads and, if it does not, its `float()`; undefined when neither does. */
function pythonNumber(typed: string): PythonValue | undefined {
  const text = asciiDigits(typed.replace(pythonSpace, ""));
  const digits = text.replaceAll("_", "");
  if (integer.test(text) && digits.length <= longestInteger) return BigInt(digits.replace(/^\+/, ""));
  if (notFinite.test(text)) return /nan/i.test(text) ? Number.NaN : text.startsWith("-") ? -Infinity : Infinity;
  if (!integer.test(text) && !float.test(text)) return undefined;
  const isTooLarge = !Number.isFinite(Number(digits));
  return isTooLarge ? Number(digits) : new NumberAsWritten(digits.replace(/^\+/, ""));
}

const run = "\\d+(?:_\\d+)*";
const integer = new RegExp(`^[+-]?${run}$`);
const float = new RegExp(`^[+-]?(?:${run}\\.?(?:${run})?|\\.${run})(?:e[+-]?${run})?$`, "i");
const notFinite = /^[+-]?(?:inf|infinity|nan)$/i;

/** Python refuses to read longer ones as integers. */
const longestInteger = 4300;

/** What both take off, at both ends: not all that `str.strip()` does. */
const space = "[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const pythonSpace = new RegExp(`^${space}+|${space}+$`, "g");

/** Python reads the digits of every script. They come in rows of ten, each beginning with its zero. */
function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0) as number;
    let first = point;
    while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
    return String((point - first) % 10);
  });
}

/** Not `JSON.parse`, which takes numbers for what JavaScript can hold of them. Undefined when it is no JSON. */
export function parseJson(text: string): PythonValue | undefined {
  if (isTooDeepText(text) && isJson(text)) {
    throw new UsageError(
      `A parameter is nested more than ${deepestJson} levels deep. Write it to a file, and give its path.`,
    );
  }
  try {
    const scanner = new JsonScanner(Buffer.from(text));
    const value = nextValue(scanner);
    return scanner.peek() === -1 ? value : undefined;
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function nextValue(scanner: JsonScanner): PythonValue {
  switch (scanner.peek()) {
    case openBracket: {
      const items: PythonValue[] = [];
      scanner.readArray(() => items.push(nextValue(scanner)));
      return items;
    }
    case openBrace: {
      const members: [string, PythonValue][] = [];
      scanner.readObject((start, end) => members.push([JSON.parse(textOf(scanner, start, end)), nextValue(scanner)]));
      return Object.fromEntries(members);
    }
    default: {
      const start = scanner.at;
      scanner.skipValue();
      const text = textOf(scanner, start, scanner.at);
      if (/^-?\d/.test(text)) return new NumberAsWritten(text);
      // Python writes these.
      return notFinite.test(text.replace("Infinity", "inf")) ? (pythonNumber(text) as PythonValue) : JSON.parse(text);
    }
  }
}

function textOf({ bytes }: JsonScanner, start: number, end: number): string {
  return bytes.toString("utf8", start, end);
}
