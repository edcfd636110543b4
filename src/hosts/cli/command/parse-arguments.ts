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
 * Node's own parser, with our own complaints: its strict mode refuses code that begins with a dash (`-c -1`)
 * and knows no suggestions. A parsing library would cost more time than reading the whole command line needs.
 */
export function parseArguments<const O extends Options>(args: readonly string[], options: O): Parsed<O> {
  const parsed = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of parsed.tokens) {
    if (token.kind !== "option") continue;
    const option = options[token.name];
    if (option === undefined)
      throw new UsageError(`Unknown option ${token.rawName}.${suggestion(token.rawName, options)}`);
    if (option.type === "string" && token.value === undefined) throw new UsageError(`${token.rawName} needs a value.`);
    if (option.type === "boolean" && token.value !== undefined)
      throw new UsageError(`${token.rawName} takes no value.`);
  }
  return { values: parsed.values as Values<O>, positionals: parsed.positionals };
}

function suggestion(typed: string, options: Options): string {
  const similar = closest(
    typed,
    Object.keys(options).map((name) => `--${name}`),
  );
  return similar === null ? "" : ` Did you mean ${similar}?`;
}
