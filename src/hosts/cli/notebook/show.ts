import { selectCells } from "../../../execute/notebook/plan-cells.ts";
import { withIndexes } from "../../../execute/notebook/traceback-indexes.ts";
import type { NotebookCell } from "../../../notebook/cell.ts";
import { visibleText } from "../../../output/text/visible-text.ts";
import { argumentsOrHelp } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { pictureFolder } from "../command/open-runtime.ts";
import { write } from "../command/write.ts";
import { typedCells } from "./edit/typed-cells.ts";
import { readTypedNotebook } from "./files/typed-notebook.ts";
import { onlyFile } from "./one-file.ts";
import { type StoredOutput, storedOutputs } from "./show/stored-outputs.ts";

const options = {
  cells: { type: "string", multiple: true },
  "no-outputs": { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** `granary notebook show` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const { stdout } = context;
  const { notebook, path } = await readTypedNotebook(onlyFile(positionals, "show"), context);
  const chosen = selectCells(notebook, { cells: typedCells(values.cells) });
  const counted = { cells: notebook.cells.map(({ executionCount }, index) => ({ index, executionCount })) };
  const outputsOf = async (cell: NotebookCell): Promise<readonly StoredOutput[]> => {
    const outputs = values["no-outputs"] ? [] : await storedOutputs(cell, pictureFolder(context.env));
    return outputs.map((one) => (one.type === "error" ? { ...one, text: withIndexes(one.text, counted) } : one));
  };
  const page = await pageFor(context);
  const shown: object[] = [];
  for (const [index, cell] of notebook.cells.entries()) {
    if (chosen !== null && !chosen.has(cell)) continue;
    const outputs = await outputsOf(cell);
    const { id, type, source, executionCount } = cell;
    if (values.json) shown.push({ index, id, type, executionCount, source, outputs: outputs.map(({ text }) => text) });
    else await write(stdout, await page(cell, index, outputs));
  }
  if (values.json) await write(stdout, `${JSON.stringify({ status: "ok", path, cells: shown })}\n`);
  return exitCodes.ok;
}

type Page = (cell: NotebookCell, index: number, outputs: readonly StoredOutput[]) => string | Promise<string>;

async function pageFor(context: CommandContext): Promise<Page> {
  if (!context.isTerminal("stdout")) return (...cell) => visibleText(plainCell(...cell));
  const { paintedCells } = await import("./show/painted-cell.ts");
  return paintedCells(context);
}

function plainCell(cell: NotebookCell, index: number, outputs: readonly StoredOutput[]): string {
  const count = cell.executionCount === null ? "" : ` [${cell.executionCount}]`;
  const head = `# cell ${index}: ${cell.type}${count}${cell.id === null ? "" : ` ${cell.id}`}`;
  const indented = outputs
    .flatMap(({ text }) => text.replace(/\n$/, "").split("\n"))
    .map((line) => `  | ${line}`.trimEnd());
  return `${[head, ...(cell.source === "" ? [] : [cell.source]), ...indented].join("\n")}\n\n`;
}

const help = `Prints a notebook with its outputs.

Usage:
  granary notebook show FILE [--cells 3,5-8,id] [--no-outputs] [--json]

Example:
  granary notebook show report.ipynb --cells 0-3

FILE may be - for standard input. Pictures are saved in ~/.granary/pictures, and
their paths are shown. A terminal shows pictures inline, code in colour and
formatted markdown.

Options:
      --cells LIST  print only these, by index (from 0) or id; repeatable
      --no-outputs  print only the sources
      --json        print { status, path, cells: [{ index, id, type,
                    executionCount, source, outputs: [text] }] }
  -h, --help        show this

To print text that you can edit and write back: granary notebook text FILE
`;
