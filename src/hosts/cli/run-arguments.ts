import { parseArguments } from "./parse-arguments.ts";
import { UsageError } from "./usage-error.ts";

export interface RunArguments {
  readonly source: CellSource;
  /** Infinity when there is none. */
  readonly timeoutMs: number;
  readonly cwd: string;
  readonly json: boolean;
}

export type CellSource =
  | { readonly type: "code"; readonly cells: readonly string[] }
  | { readonly type: "file"; readonly path: string }
  | { readonly type: "stdin"; readonly askedFor: boolean };

export const runOptions = {
  code: { type: "string", short: "c", multiple: true },
  timeout: { type: "string" },
  cwd: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export function parseRunArguments(args: readonly string[]): RunArguments | "help" {
  const { values, positionals } = parseArguments(args, runOptions);
  if (values.help) return "help";
  return {
    source: chooseSource(values.code, positionals),
    timeoutMs: parseTimeout(values.timeout),
    cwd: values.cwd ?? ".",
    json: values.json ?? false,
  };
}

function chooseSource(code: readonly string[] | undefined, positionals: readonly string[]): CellSource {
  const [path, ...others] = positionals;
  if (others.length > 0) throw new UsageError(`granary run takes one FILE, but got ${positionals.join(" and ")}.`);
  if (code !== undefined) {
    if (path === undefined) return { type: "code", cells: code };
    throw new UsageError(
      `Give either FILE or -c CODE; both ${path} and -c were given. (Quote code with spaces in it.)`,
    );
  }
  if (path === undefined || path === "-") return { type: "stdin", askedFor: path === "-" };
  return { type: "file", path };
}

function parseTimeout(typed: string | undefined): number {
  if (typed === undefined) return Number.POSITIVE_INFINITY;
  const seconds = Number(typed);
  if (typed.trim() === "" || !(seconds >= 0)) {
    throw new UsageError(
      `--timeout takes seconds, as in --timeout 30 (0 for no time-out); got ${JSON.stringify(typed)}.`,
    );
  }
  return seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000;
}
