import type { NotebookCell } from "../../../../notebook/cell.ts";
import { granaryHome } from "../../../../settings/granary-home.ts";
import { readableSettings } from "../../../../settings/readable-settings.ts";
import { highlight } from "../../../../view/highlight/highlight.ts";
import { renderMarkdown } from "../../../../view/markdown.ts";
import { printableLines } from "../../../../view/text/printable.ts";
import { fold } from "../../../../view/text/wrap.ts";
import type { CommandContext } from "../../command/command-context.ts";
import { say } from "../../command/say.ts";
import { TerminalPainter } from "../../report/terminal-painter.ts";
import { type Canvas, canvasOf } from "../../terminal/canvas.ts";
import type { StoredOutput } from "./stored-outputs.ts";

/** The margin of a cell's outputs. */
const margin = "  │ ";

/** Cells for a terminal: code in colour, formatted markdown, inline pictures. */
export async function paintedCells(context: CommandContext) {
  const { cwd, env } = context;
  const { settings, settingsError } = await readableSettings({ cwd, env, home: granaryHome(env) });
  if (settingsError !== null)
    await say(context.stderr, `granary: ${settingsError.message} The notebook is shown without these settings.\n`);
  const painter = new TerminalPainter(context, settings.values.console.pictures);
  return (cell: NotebookCell, index: number, outputs: readonly StoredOutput[]): Promise<string> =>
    paintCell(cell, index, outputs, painter, canvasOf(context));
}

async function paintCell(
  cell: NotebookCell,
  index: number,
  outputs: readonly StoredOutput[],
  painter: TerminalPainter,
  canvas: Canvas,
): Promise<string> {
  const { theme } = canvas;
  const count = cell.executionCount === null ? "" : ` [${cell.executionCount}]`;
  const name = cell.id === null ? "" : theme.muted(` ${printableLines(cell.id).join(" ")}`);
  const head = `${theme.title(`# cell ${index}: ${cell.type}${count}`)}${name}`;
  const painted = await Promise.all(outputs.map((output) => outputLines(output, painter, canvas)));
  const beside = painted.flat().map((line) => `${theme.border(margin)}${line}`.trimEnd());
  return `${[head, ...sourceLines(cell, canvas), ...beside].join("\n")}\n\n`;
}

/** Code is not wrapped, so that it can be copied. */
function sourceLines({ source, type }: NotebookCell, { columns, theme }: Canvas): readonly string[] {
  if (source === "") return [];
  if (type === "markdown") return renderMarkdown(source, { width: Math.max(20, columns), theme });
  const lines = printableLines(source);
  return type === "code" ? highlight(lines, "python", theme) : lines;
}

async function outputLines(
  output: StoredOutput,
  painter: TerminalPainter,
  { columns }: Canvas,
): Promise<readonly string[]> {
  const { type, text, data } = output;
  const drawn = await painter.display(data, output, margin.length);
  if (drawn !== null) return drawn;
  const lines = type === "error" ? painter.traceback(text, "stdout") : printableLines(text);
  return lines.flatMap((line) => fold(line, Math.max(20, columns - margin.length)));
}
