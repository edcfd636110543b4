import { selectCells } from "../../../execute/notebook/plan-cells.ts";
import type { MimeBundle } from "../../../kernel/events.ts";
import { type Cell, joined } from "../../../notebook/cell.ts";
import { readNotebook } from "../../../notebook/file/read-notebook.ts";
import type { JsonObject } from "../../../notebook/json/parse.ts";
import { asOutput, isJsonMime, type NotebookOutput } from "../../../notebook/output.ts";
import { displayText } from "../../../output/display-part.ts";
import { renderDisplay } from "../../../output/render-display.ts";
import { sanitize } from "../../../output/sanitize.ts";
import { exitCodes } from "../exit-codes.ts";
import { pictureFolder } from "../open-runtime.ts";
import { parseArguments } from "../parse-arguments.ts";
import { placePictures } from "../place-pictures.ts";
import { type Styles, stylesFor } from "../styles.ts";
import type { Surroundings } from "../surroundings.ts";
import { write } from "../write.ts";
import { parseAddresses } from "./cell-addresses.ts";
import { inFolder, onlyFile } from "./one-file.ts";

const options = {
  cells: { type: "string" },
  "no-outputs": { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** `granary notebook show` */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { values, positionals } = parseArguments(args, options);
  const { stdout, env } = surroundings;
  if (values.help) {
    stdout.write(help);
    return exitCodes.ok;
  }
  const path = inFolder(onlyFile(positionals, "show"), surroundings);
  const notebook = await readNotebook(path);
  const chosen = selectCells(notebook, {
    cells: values.cells === undefined ? undefined : parseAddresses(values.cells),
  });
  const withOutputs = !values["no-outputs"];
  const folder = pictureFolder(env);
  const styles = stylesFor(surroundings);
  const shown: object[] = [];
  for (const [index, cell] of notebook.cells.entries()) {
    if (chosen !== null && !chosen.has(cell)) continue;
    const outputs = withOutputs ? await outputTexts(cell, folder) : [];
    const { id, type, source, executionCount } = cell;
    if (values.json) shown.push({ index, id, type, executionCount, source, outputs });
    else await write(stdout, page(cell, index, outputs, styles));
  }
  if (values.json) await write(stdout, `${JSON.stringify({ status: "ok", path, cells: shown })}\n`);
  return exitCodes.ok;
}

function page(cell: Cell, index: number, outputs: readonly string[], { bold, dim }: Styles): string {
  const count = cell.executionCount === null ? "" : ` [${cell.executionCount}]`;
  const name = cell.id === null ? "" : dim(` ${cell.id}`);
  const head = `${bold(`# cell ${index}: ${cell.type}${count}`)}${name}`;
  const indented = outputs
    .flatMap((text) => text.replace(/\n$/, "").split("\n"))
    .map((line) => `  | ${line}`.trimEnd());
  return `${[head, ...(cell.source === "" ? [] : [cell.source]), ...indented].join("\n")}\n\n`;
}

function outputTexts(cell: Cell, folder: string): Promise<readonly string[]> {
  return Promise.all(
    cell.outputs.map(async (stored) => {
      const output = asOutput(stored);
      return output === null ? "[an output of an unknown kind]" : textOf(output, folder);
    }),
  );
}

/** Colours and their like are for the program that wrote them: a terminal must not obey what is in a file. */
async function textOf(output: NotebookOutput, folder: string): Promise<string> {
  switch (output.output_type) {
    case "stream":
      return sanitize(joined(output.text));
    case "error":
      return sanitize(
        output.traceback.length === 0 ? `${output.ename}: ${output.evalue}` : output.traceback.join("\n"),
      );
    default:
      return sanitize(await shownText(bundle(output.data), folder));
  }
}

/** A picture speaks for itself: the text beside it is only a stand-in such as `<Figure size 640x480>`. */
async function shownText(data: MimeBundle, folder: string): Promise<string> {
  const placed = await placePictures(data, folder);
  return placed === null ? displayText(await renderDisplay(data)) : placed.text;
}

function bundle(data: JsonObject): MimeBundle {
  return Object.fromEntries(
    Object.entries(data).map(([mime, value]) => [mime, isJsonMime(mime) ? value : joined(value)]),
  );
}

const help = `Prints a notebook with what its cells put out.

Usage:
  granary notebook show FILE [--cells 3,5-8,id] [--no-outputs] [--json]

Pictures are saved in ~/.granary/pictures, and their paths are shown.

Options:
      --cells LIST  only these, counted from 0, or by their ids
      --no-outputs  only the sources
      --json        print { status, path, cells: [{ index, id, type,
                    executionCount, source, outputs: [text] }] }
  -h, --help        show this

Text that can be edited and written back prints: granary notebook text FILE
`;
