import type { NotebookParameters } from "../../../execute/notebook/parameters.ts";
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

function parseValue(typed: string): NotebookParameters[string] {
  if (Object.hasOwn(words, typed)) return words[typed] as NotebookParameters[string];
  // Only what Python would print in the same way: 007 and 12345678901234567890 stay text.
  const number = Number(typed);
  if (/^-?\d/.test(typed) && Number.isFinite(number) && isExact(typed, number)) return number;
  if (/^[[{"]/.test(typed)) return fromJson(typed);
  return typed;
}

function isExact(typed: string, number: number): boolean {
  return /^-?(0|[1-9]\d*)$/.test(typed)
    ? Number.isSafeInteger(number)
    : /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(typed) && !/^-?0\d/.test(typed);
}

function fromJson(typed: string): NotebookParameters[string] {
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}
