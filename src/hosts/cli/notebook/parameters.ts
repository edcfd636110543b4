import type { NotebookParameters } from "../../../execute/notebook/parameters.ts";
import { openBrace, openBracket } from "../../../notebook/json/bytes.ts";
import { JsonScanner } from "../../../notebook/json/scanner.ts";
import { NumberAsWritten, type PythonValue } from "../../../session/python-literal.ts";
import { deepestJson, isTooDeepText } from "../../../support/deep-json.ts";
import { UsageError } from "../usage-error.ts";

/** `name=value`, as papermill takes it, and lists and objects as JSON. The last of several with one name wins. */
export function parseParameters(typed: readonly string[]): NotebookParameters {
  return Object.fromEntries(
    typed.map((parameter) => {
      const at = parameter.indexOf("=");
      if (at < 1)
        throw new UsageError(`--param takes NAME=VALUE, as in --param n=10; got ${JSON.stringify(parameter)}.`);
      return [parameter.slice(0, at), parseValue(parameter.slice(at + 1))];
    }),
  );
}

const words: NotebookParameters = { True: true, true: true, False: false, false: false, None: null, null: null };

/** As JSON has it, so 007 is none. */
const number = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

function parseValue(typed: string): PythonValue {
  if (Object.hasOwn(words, typed)) return words[typed] as PythonValue;
  if (number.test(typed)) return new NumberAsWritten(typed);
  if (/^[[{"]/.test(typed)) return fromJson(typed);
  return typed;
}

/** What is not JSON after all is text. */
function fromJson(typed: string): PythonValue {
  if (isTooDeepText(typed) && isJson(typed))
    throw new UsageError(
      `A parameter is nested more than ${deepestJson} levels deep. Write it to a file, and give its path.`,
    );
  try {
    const scanner = new JsonScanner(Buffer.from(typed));
    const value = nextValue(scanner);
    return scanner.peek() === -1 ? value : typed;
  } catch {
    return typed;
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

/** Not `JSON.parse`, which takes numbers for what JavaScript can hold of them. */
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
      return number.test(text) ? new NumberAsWritten(text) : JSON.parse(text);
    }
  }
}

function textOf({ bytes }: JsonScanner, start: number, end: number): string {
  return bytes.toString("utf8", start, end);
}
