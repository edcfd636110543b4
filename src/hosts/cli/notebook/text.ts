import { updateNotebook } from "../../../notebook/file/update-notebook.ts";
import { notebookBytes } from "../../../notebook/notebook.ts";
import { cellText } from "../../../notebook/text/cell-text.ts";
import { parseSelector, selectLines } from "../../../notebook/text/line-selector.ts";
import { percentScript } from "../../../notebook/text/percent/percent-script.ts";
import { withPercentScript } from "../../../notebook/text/percent/write-percent-script.ts";
import { withCellText } from "../../../notebook/text/write-cell-text.ts";
import { sayCount } from "../../../support/say-count.ts";
import { argumentsOrHelp } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import type { Parsed } from "../command/parse-arguments.ts";
import { say } from "../command/say.ts";
import { saveWithin } from "../command/typed-file.ts";
import { UsageError } from "../command/usage-error.ts";
import { write } from "../command/write.ts";
import { givenText, textOfFile } from "./edit/typed-text.ts";
import { readTypedNotebook } from "./files/typed-notebook.ts";
import { inFolder, onlyFile } from "./one-file.ts";

const options = {
  format: { type: "string" },
  outputs: { type: "string" },
  from: { type: "string" },
  json: { type: "boolean" },
} as const;

type Values = Parsed<typeof options>["values"];

/** `granary notebook text` and `granary notebook write` */
export async function main(args: readonly string[], context: CommandContext, name: string): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const file = onlyFile(positionals, name);
  await (name === "write" ? takeBack(file, values, context) : print(file, values, context));
  return exitCodes.ok;
}

async function print(file: string, values: Values, context: CommandContext): Promise<void> {
  if (values.from !== undefined) throw new UsageError("--from goes with granary notebook write.");
  const { path, raw, ranges } = parseSelector(file);
  const { notebook } = await readTypedNotebook(path, context);
  const percent = isPercent(values);
  if (percent && raw) throw new UsageError(":raw is the notebook's JSON, which has no --format.");
  const outputCharacters = countOf(values.outputs);
  const text = raw
    ? notebookBytes(notebook).toString("utf8")
    : percent
      ? percentScript(notebook)
      : cellText(notebook, { outputCharacters });
  const lines = selectLines(text, ranges);
  // Piped text may be written back, so every byte counts.
  await (context.isTerminal("stdout") ? say(context.stdout, lines) : write(context.stdout, lines));
}

async function takeBack(file: string, values: Values, context: CommandContext): Promise<void> {
  const remedy = `Give the text on standard input or with --from TEXTFILE; granary notebook text ${file} prints it.`;
  const text =
    values.from === undefined || values.from === "-"
      ? await givenText(values.from, context, remedy)
      : await textOfFile(values.from, context);
  const change = isPercent(values) ? withPercentScript : withCellText;
  const path = inFolder(file, context);
  const within = await saveWithin(path, context);
  const { cells } = await updateNotebook(path, (notebook) => change(notebook, text), { orEmpty: true, within });
  const written = values.json
    ? JSON.stringify({ status: "ok", path, totalCells: cells.length })
    : `Wrote ${file}: ${sayCount(cells.length, "cell")}.`;
  await say(context.stdout, `${written}\n`);
}

function isPercent({ format = "cells" }: Values): boolean {
  if (format === "cells" || format === "percent") return format === "percent";
  throw new UsageError(`--format is cells or percent, not ${format}.`);
}

function countOf(typed: string | undefined): number {
  if (typed === undefined) return 0;
  if (/^\d+$/.test(typed)) return Number(typed);
  throw new UsageError(`--outputs takes a number of characters, as in --outputs 500; got ${JSON.stringify(typed)}.`);
}

const help = `Prints a notebook as text that you can edit, and writes the text back.

Usage:
  granary notebook text FILE [--format percent] [--outputs N]
  granary notebook text FILE:10-20,40-60       some lines of the text
  granary notebook text FILE:raw[:10-20]       the file's JSON
  granary notebook write FILE [--format percent] [--from TEXTFILE] [--json]

Each cell begins with a line such as  # %% [code] cell:3  and cell:3 is the
cell with that index: it keeps its id, metadata and outputs. A marker without a
number begins a new cell, and a cell missing from the text is deleted. A text
without any cell is refused if the notebook has cells. A line of a cell that
looks like a marker is written with a backslash, # \\%%. A bare  # %%  begins a
code cell, and Markdown whose lines all begin with "# " loses that prefix.

Options:
      --format F    cells, the default, or percent: a script as jupytext, Spyder
                    and VS Code use it, without numbers and ids
      --outputs N   show at most N characters of each cell's outputs, which
                    write ignores
      --from FILE   the text to write; otherwise it comes from standard input
  -h, --help        show this

Example:
  granary notebook text a.ipynb | sed 's/old_name/new_name/' > a.txt
  granary notebook write a.ipynb --from a.txt
`;
