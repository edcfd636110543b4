import type { NotebookParameters } from "../../../../execute/notebook/parameters/parameters.ts";
import type { PythonValue } from "../../../../python/python-literal.ts";
import { systemReason } from "../../../../support/files/system-reason.ts";
import { GranaryError } from "../../../../support/granary-error.ts";
import type { CommandContext } from "../../command/command-context.ts";
import type { Options } from "../../command/parse-arguments.ts";
import { type ReadingCode, readTypedFile } from "../../command/typed-file.ts";
import { UsageError } from "../../command/usage-error.ts";
import { inFolder } from "../one-file.ts";
import { parseJson, typedValue, typedValueOrJson } from "./typed-value.ts";

/** Options with a name and a value, also under papermill's names. */
const pairOptions: Readonly<Record<string, "typed" | "raw">> = {
  "-p": "typed",
  "--param": "typed",
  "--parameters": "typed",
  "-r": "raw",
  "--param-raw": "raw",
  "--parameters_raw": "raw",
};

/** Whole sets of parameters. */
export const parameterSetOptions = {
  "param-yaml": { type: "string", short: "y", multiple: true },
  parameters_yaml: { type: "string", multiple: true },
  "param-file": { type: "string", short: "f", multiple: true },
  parameters_file: { type: "string", multiple: true },
  "param-base64": { type: "string", short: "b", multiple: true },
  parameters_base64: { type: "string", multiple: true },
} as const;

type SetValues = { readonly [Name in keyof typeof parameterSetOptions]?: readonly string[] | undefined };

export interface ParameterPair {
  readonly kind: "typed" | "raw";
  readonly name: string;
  readonly value: PythonValue;
}

/** Takes `-p NAME VALUE` and `-p NAME=VALUE` out of the arguments, because the parser knows only options with one value. */
export function takePairs(
  args: readonly string[],
  options: Options,
): { readonly rest: readonly string[]; readonly pairs: readonly ParameterPair[] } {
  const rest: string[] = [];
  const pairs: ParameterPair[] = [];
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (arg === "--") {
      rest.push(arg, ...left);
      break;
    }
    const [, option = arg, glued] = /^(-[pr]|--[\w-]+=)([\s\S]+)$/.exec(arg) ?? [];
    const kind = pairOptions[option.replace(/=$/, "")];
    if (kind !== undefined) pairs.push(pairOf(option.replace(/=$/, ""), kind, glued ?? left.shift(), left));
    else {
      rest.push(arg);
      if (takesValue(arg, options) && left.length > 0) rest.push(left.shift() as string);
    }
  }
  return { rest, pairs };
}

function pairOf(option: string, kind: ParameterPair["kind"], first: string | undefined, left: string[]): ParameterPair {
  const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(first ?? "") ?? [];
  if (name !== undefined && value !== undefined) {
    return { kind, name, value: kind === "raw" ? value : typedValueOrJson(value) };
  }
  const second = left.shift();
  if (first === undefined || first === "" || first.startsWith("=") || second === undefined) {
    throw new UsageError(
      `${option} takes NAME VALUE or NAME=VALUE, as in ${option} n 10; got ${JSON.stringify(first ?? "")}.`,
    );
  }
  return { kind, name: first, value: kind === "raw" ? second : typedValue(second) };
}

function takesValue(arg: string, options: Options): boolean {
  const isGiven = ([name, { type, short }]: [string, Options[string]]) =>
    type === "string" && (arg === `--${name}` || (short !== undefined && arg === `-${short}`));
  return Object.entries(options).some(isGiven);
}

/**
 * All parameters; the later win: base64, files, YAML, typed, raw, as with papermill. Undefined when there are none.
 * @param code the notebook's
 */
export async function readParameters(
  sets: SetValues,
  pairs: readonly ParameterPair[],
  context: CommandContext,
  code: ReadingCode,
): Promise<NotebookParameters | undefined> {
  const given = (name: "yaml" | "file" | "base64") => [
    ...(sets[`param-${name}`] ?? []),
    ...(sets[`parameters_${name}`] ?? []),
  ];
  const all: NotebookParameters[] = [];
  const parsed = async (text: string, where: string) => (await import("./yaml-parameters.ts")).parseYaml(text, where);
  for (const text of given("base64")) {
    all.push(await parsed(decodedBase64(text), "What --param-base64 encodes"));
  }
  for (const file of given("file")) all.push(await fromFile(file, context, code, parsed));
  for (const text of given("yaml")) all.push(await parsed(text, "The text of --param-yaml"));
  for (const kind of ["typed", "raw"] as const) {
    for (const { name, value } of pairs.filter((pair) => pair.kind === kind)) all.push({ [name]: value });
  }
  return all.length === 0 ? undefined : Object.fromEntries(all.flatMap((some) => Object.entries(some)));
}

/** Node skips characters that it cannot decode, which would pass another value. */
function decodedBase64(typed: string): string {
  const text = typed.replace(/\s+/g, "");
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;
  if (!isBase64) throw new UsageError(`--param-base64 takes YAML in base64; ${JSON.stringify(typed)} is not base64.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64"));
  } catch {
    throw new UsageError("--param-base64 takes YAML in base64; the encoded text is not UTF-8.");
  }
}

async function fromFile(
  file: string,
  context: CommandContext,
  code: ReadingCode,
  parseYaml: (text: string, where: string) => Promise<NotebookParameters>,
): Promise<NotebookParameters> {
  const path = inFolder(file, context);
  const bytes = await readTypedFile(path, context.env, code).catch((error: unknown) => {
    if (error instanceof GranaryError) throw error;
    throw new UsageError(`The parameters in ${file} cannot be read: ${systemReason(error)}.`);
  });
  const text = bytes.toString("utf8");
  // JSON has numbers that YAML reads as text.
  const value = /\.json$/i.test(file) ? parseJson(text) : undefined;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as NotebookParameters) : parseYaml(text, file);
}
