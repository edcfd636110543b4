import type { z } from "zod";
import { closest } from "../../support/closest.ts";

/** An input error as one sentence: `cells[0].code: expected text, got a number`. */
export function explainProblem(error: z.ZodError, input: unknown, schema: z.ZodObject): string {
  const sentences = error.issues.slice(0, most).map((issue) => explain(issue, input, schema));
  const more = error.issues.length - sentences.length;
  return [...sentences, ...(more > 0 ? [`${more} more like this`] : [])].join("; ");
}

/** More than three would not help. */
const most = 3;

type Issue = z.core.$ZodIssue;

function explain(issue: Issue, input: unknown, schema: z.ZodObject): string {
  const place = placeOf(issue.path);
  const problem = problemOf(issue, valueAt(input, issue.path), knownKeys(schema, issue.path));
  return place === "" ? problem : `${place}: ${problem}`;
}

function problemOf(issue: Issue, value: unknown, known: readonly string[]): string {
  switch (issue.code) {
    case "invalid_type":
      return value === undefined
        ? `${nameOf(issue.expected)} is required`
        : `expected ${nameOf(issue.expected)}, got ${kindOf(value)}`;
    case "invalid_value":
      return `expected ${listed(issue.values.map((each) => JSON.stringify(each)))}, got ${shown(value)}`;
    case "too_small":
    case "too_big":
      return limitOf(issue, value);
    case "unrecognized_keys":
      return unknownKeys(issue.keys, known);
    default:
      return sentence(issue.message);
  }
}

/** The schema's own message fits the case; zod's default message does not. */
function limitOf(issue: Extract<Issue, { code: "too_small" | "too_big" }>, value: unknown): string {
  if (!issue.message.startsWith("Too ")) return sentence(issue.message);
  const [limit, ways] =
    issue.code === "too_small" ? [issue.minimum, ["at least", "more than"]] : [issue.maximum, ["at most", "less than"]];
  return `expected ${ways[issue.inclusive === false ? 1 : 0]} ${limit}, got ${shown(value)}`;
}

/** `cells[0].code` */
function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((place, step) => {
    if (typeof step === "number") return `${place}[${step}]`;
    return place === "" ? String(step) : `${place}.${String(step)}`;
  }, "");
}

function unknownKeys(keys: readonly string[], known: readonly string[]): string {
  const meant = keys.map((key) => closest(key, known)).filter((key) => key !== null);
  const isClear = meant.length === keys.length;
  const instead = isClear ? `did you mean ${listed(meant.map(shown))}?` : `there are ${known.join(", ")}`;
  return `there is no ${listed(keys.map(shown))}; ${instead}`;
}

/** The known keys of an object at that path. */
function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  const { innerType, element, shape } = schema._zod.def as unknown as SchemaParts;
  const [step, ...rest] = path;
  // Optional and default values are wrapped, which is not a step of the path.
  if (innerType !== undefined) return knownKeys(innerType, path);
  if (element !== undefined) return knownKeys(element, rest);
  const next = step === undefined ? undefined : shape?.[step];
  if (next !== undefined) return knownKeys(next, rest);
  return step === undefined ? Object.keys(shape ?? {}) : [];
}

interface SchemaParts {
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly shape?: Readonly<Record<PropertyKey, z.core.$ZodType>>;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => Object(value)[step], input);
}

function nameOf(expected: string): string {
  const names: Readonly<Record<string, string>> = {
    string: "text",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
    array: "a list",
    object: "an object",
    record: "an object",
  };
  return names[expected] ?? expected;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : shown(value);
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/** `a, b or c` */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function sentence(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
