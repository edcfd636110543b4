import { parseRanges, type Range } from "../../../output/artifacts/read/ranges.ts";
import { parseArguments } from "../command/parse-arguments.ts";
import { UsageError } from "../command/usage-error.ts";

export type ArtifactArguments =
  | { readonly type: "help" }
  | { readonly type: "list"; readonly folder: string | null; readonly json: boolean }
  | { readonly type: "show"; readonly folder: string | null; readonly address: string; readonly part: ArtifactPart };

/** The part of an artifact to show. */
export type ArtifactPart =
  | { readonly type: "whole" }
  | { readonly type: "path" }
  | { readonly type: "lines"; readonly ranges: readonly Range[] }
  | { readonly type: "bytes"; readonly ranges: readonly Range[] }
  | { readonly type: "search"; readonly pattern: string | RegExp; readonly lines: readonly Range[] | undefined };

export const artifactOptions = {
  lines: { type: "string" },
  bytes: { type: "string" },
  grep: { type: "string" },
  regex: { type: "boolean", short: "E" },
  "ignore-case": { type: "boolean", short: "i" },
  path: { type: "boolean" },
  list: { type: "boolean" },
  json: { type: "boolean" },
  folder: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = ReturnType<typeof parseArguments<typeof artifactOptions>>["values"];

export function parseArtifactArguments(args: readonly string[]): ArtifactArguments {
  const { values, positionals } = parseArguments(args, artifactOptions);
  if (values.help) return { type: "help" };
  const [address, ...others] = positionals;
  const folder = values.folder ?? null;
  if (values.list) {
    if (address !== undefined) throw new UsageError(`--list shows all artifacts; leave out ${address}, or --list.`);
    return { type: "list", folder, json: values.json ?? false };
  }
  if (address === undefined) throw new UsageError("Which artifact? granary artifact --list shows what there is.");
  if (others.length > 0) throw new UsageError(`granary artifact takes one ID, but got ${positionals.join(" and ")}.`);
  if (values.json) throw new UsageError("--json goes with --list only.");
  return { type: "show", folder, address, part: choosePart(values) };
}

function choosePart(values: Values): ArtifactPart {
  const lines = values.lines === undefined ? undefined : rangesOf(values.lines, "lines", 1);
  const bytes = values.bytes === undefined ? undefined : rangesOf(values.bytes, "bytes", 0);
  if (values.path) return alone("--path", { type: "path" }, [lines, bytes, values.grep]);
  if (bytes !== undefined) return alone("--bytes", { type: "bytes", ranges: bytes }, [lines, values.grep]);
  if (values.grep !== undefined) return { type: "search", pattern: patternOf(values.grep, values), lines };
  if (values.regex || values["ignore-case"]) throw new UsageError("--regex and --ignore-case go with --grep.");
  return lines === undefined ? { type: "whole" } : { type: "lines", ranges: lines };
}

function alone(option: string, part: ArtifactPart, others: readonly unknown[]): ArtifactPart {
  if (others.every((other) => other === undefined)) return part;
  throw new UsageError(`${option} cannot be combined with another of these: --lines, --bytes, --grep, --path.`);
}

function rangesOf(typed: string, name: "lines" | "bytes", first: 0 | 1): readonly Range[] {
  const ranges = parseRanges(typed, first);
  if (ranges !== null) return ranges;
  throw new UsageError(
    `--${name} takes ranges, counted from ${first}, such as 10-20, 50- or -5 (the last 5), with commas between them; got ${JSON.stringify(typed)}.`,
  );
}

function patternOf(typed: string, { regex = false, "ignore-case": ignoreCase = false }: Values): string | RegExp {
  if (typed === "") throw new UsageError("--grep needs something to search for.");
  if (!regex && !ignoreCase) return typed;
  const source = regex ? typed : typed.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const flags = ignoreCase ? "i" : "";
  try {
    return new RegExp(source, `u${flags}`);
  } catch {
    // Without `u`, JavaScript takes more of what people write for other programs.
    return compile(source, flags);
  }
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new UsageError(`--grep: ${(error as Error).message}. Without --regex, it is taken as plain text.`);
  }
}
