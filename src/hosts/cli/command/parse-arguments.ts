import { type ParseArgsConfig, parseArgs } from "node:util";
import { closest } from "../../../support/closest.ts";
import { UsageError } from "./usage-error.ts";

export type Options = NonNullable<ParseArgsConfig["options"]>;

type Values<O extends Options> = {
  [Name in keyof O]?: O[Name] extends { type: "boolean" }
    ? boolean
    : O[Name] extends { multiple: true }
      ? string[]
      : string;
};

export interface Parsed<O extends Options> {
  readonly values: Values<O>;
  readonly positionals: string[];
}

/**
 * Node's own parser with our own error messages: its strict mode refuses code that begins with a dash (`-c -1`)
 * and makes no suggestions. Loading a parsing library would take longer than parsing.
 * @param next the argument after these, which belongs to a program
 */
export function parseArguments<const O extends Options>(args: readonly string[], options: O, next?: string): Parsed<O> {
  const parsed = parseTokens(args, options);
  for (const token of parsed.tokens) {
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined)
      throw new UsageError(`Unknown option ${token.rawName}.${suggestion(token.rawName, options)}`);
    if (option.type === "string" && token.value === undefined) throw new UsageError(`${token.rawName} needs a value.`);
    if (option.type === "boolean" && token.value !== undefined && !Object.hasOwn(mayHaveValue, token.name))
      throw new UsageError(`${token.rawName} takes no value.`);
    if (token.value === undefined) refuseSeparateValue(token, args[token.index + 1] ?? next);
  }
  return { values: parsed.values as Values<O>, positionals: parsed.positionals };
}

/** `--sandbox` alone has a meaning, and `--sandbox=strict` another. */
const mayHaveValue: Readonly<Record<string, readonly string[]>> = { sandbox: ["off", "workspace", "strict"] };

/** `--sandbox strict` would be an option and a file, and the sandbox another one than the user means. */
function refuseSeparateValue({ name, rawName }: { name: string; rawName: string }, next: string | undefined): void {
  const values = Object.hasOwn(mayHaveValue, name) ? mayHaveValue[name] : undefined;
  if (next === undefined || !values?.includes(next)) return;
  throw new UsageError(`Did you mean ${rawName}=${next}? (A file of that name would be ./${next}.)`);
}

/** The same, but `-1` is a number: a cell that does not exist, and not an option. */
export function parseWithNumbers<const O extends Options>(args: readonly string[], options: O): Parsed<O> {
  const isNumber = (at: number) => /^-\d+$/.test(args[at] ?? "");
  const numbers = new Set(
    parseTokens(args, options)
      .tokens.filter(({ kind, index }) => kind === "option" && isNumber(index))
      .map(({ index }) => index),
  );
  const { values, positionals } = parseArguments(
    args.map((arg, at) => (numbers.has(at) ? marked(arg) : arg)),
    options,
  );
  return { values, positionals: positionals.map(unmarked) };
}

/** A null character cannot be typed. */
const marked = (arg: string): string => `\0${arg}`;
const unmarked = (arg: string): string => arg.replace(/^\0/, "");

function parseTokens(args: readonly string[], options: Options) {
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
}

function suggestion(typed: string, options: Options): string {
  const similar = closest(
    typed,
    Object.keys(options).map((name) => `--${name}`),
  );
  return similar === null ? "" : ` Did you mean ${similar}?`;
}
