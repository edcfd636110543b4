import { cellTypes, type FoundCellType } from "../../../notebook/cell.ts";
import { type FoundCellLine, findInCells, patternText } from "../../../notebook/find-in-cells.ts";
import { visibleText } from "../../../output/text/visible-text.ts";
import { argumentsOrHelp } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { UsageError } from "../command/usage-error.ts";
import { write } from "../command/write.ts";
import { readTypedNotebook } from "./files/typed-notebook.ts";
import { requireFile } from "./one-file.ts";
import { typedPattern } from "./typed-pattern.ts";

const options = {
  regex: { type: "boolean", short: "e" },
  "ignore-case": { type: "boolean", short: "i" },
  type: { type: "string" },
  json: { type: "boolean" },
} as const;

/** `granary notebook find` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const [file, text, ...more] = requireFile(positionals, "find");
  if (text === undefined || text === "" || more.length > 0) {
    throw new UsageError("find takes a FILE and a TEXT, as in: granary notebook find a.ipynb 'read_csv'");
  }
  const flags = values["ignore-case"] ? "iu" : "u";
  const pattern = typedPattern(values.regex ? text : patternText(text), flags, "TEXT");
  const { notebook, path } = await readTypedNotebook(file, context);
  const isWanted = typeFilter(values.type);
  const found = findInCells(notebook, pattern).filter(({ type }) => isWanted(type));
  const told = values.json ? `${JSON.stringify({ status: "ok", path, found })}\n` : found.map(lineOf).join("");
  await write(context.stdout, told);
  return found.length > 0 ? exitCodes.ok : exitCodes.error;
}

function lineOf({ index, line, text }: FoundCellLine): string {
  return `${index}:${line}: ${visibleText(text)}\n`;
}

function typeFilter(typed: string | undefined): (type: FoundCellType) => boolean {
  if (typed === undefined) return () => true;
  if (cellTypes.some((type) => type === typed)) return (type) => type === typed;
  throw new UsageError(`--type is one of ${cellTypes.join(", ")}; got ${JSON.stringify(typed)}.`);
}

const help = `Finds text in a notebook's cells, and prints each line with the index of its
cell and its number in the cell: CELL:LINE: text

Usage:
  granary notebook find FILE TEXT [options]

Options:
  -e, --regex         TEXT is a regular expression, as in JavaScript; the
                      search ends after 10 seconds
  -i, --ignore-case   ignore the difference between upper and lower case
      --type T        only cells of this type: code, markdown or raw
      --json          print { status, path, found: [{ index, id, type, line,
                      text }] }
  -h, --help          show this

Example:
  granary notebook find a.ipynb 'read_csv'

Exit codes: 0 found, 1 not found, 2 wrong usage
`;
