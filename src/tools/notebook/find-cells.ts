import { findInCells, patternText } from "../../notebook/find-in-cells.ts";
import { outlineOf } from "../../notebook/outline.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { sayCount } from "../../support/say-count.ts";
import { fileOf } from "../code/keep.ts";
import { textBytes } from "../code/result-budget.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { NotebookLookDetails } from "../definition/details.ts";
import type { ToolResult } from "../definition/tool.ts";
import type { NamedFile } from "../files/named-file.ts";
import { readNotebookAt } from "../files/notebook-text.ts";
import { capturedContent } from "./captured-content.ts";
import { report } from "./show-cells.ts";

/** The lines of cells that contain a text, or match a regular expression such as `/read_\w+/i`. */
export async function findCells(
  context: ToolContext,
  place: NamedFile,
  wanted: string | undefined,
): Promise<ToolResult<NotebookLookDetails>> {
  if (wanted === undefined || wanted === "")
    throw new GranaryError("input", '"find" needs content: a text, or "/regex/i".');
  const notebook = await readNotebookAt(place);
  const found = findInCells(notebook, patternOf(wanted)).map(
    ({ index, id, line, text }) => `${index}:${line}${withId(id)}: ${text}`,
  );
  const lines = found.length === 0 ? ["(not found)"] : found;
  return listing(context, place, { action: "find", lines, totalCells: notebook.cells.length });
}

/** The headings and first lines of all cells. */
export async function outlineCells(context: ToolContext, place: NamedFile): Promise<ToolResult<NotebookLookDetails>> {
  const notebook = await readNotebookAt(place);
  const lines = outlineOf(notebook).map(({ index, id, type, lines: shown, totalLines }) => {
    const more = totalLines > shown.length ? ` (${sayCount(totalLines, "line")})` : "";
    return `${index} ${type}${withId(id)}: ${shown.length === 0 ? "(empty)" : shown.join("\n  ")}${more}`;
  });
  const all = lines.length === 0 ? ["[no cells]"] : lines;
  return listing(context, place, { action: "outline", lines: all, totalCells: notebook.cells.length });
}

function withId(id: string | null): string {
  return id === null ? "" : ` id ${id}`;
}

function patternOf(wanted: string): RegExp {
  const [, source, flags = ""] = /^\/(.+)\/(i?)$/s.exec(wanted) ?? [];
  try {
    return source === undefined ? new RegExp(patternText(wanted), "u") : new RegExp(source, `u${flags}`);
  } catch (error) {
    throw new GranaryError("input", `content: ${(error as Error).message}. Without slashes it is searched as text.`);
  }
}

interface Listing {
  readonly action: "find" | "outline";
  readonly lines: readonly string[];
  readonly totalCells: number;
}

async function listing(
  context: ToolContext,
  place: NamedFile,
  { action, lines, totalCells }: Listing,
): Promise<ToolResult<NotebookLookDetails>> {
  const capture = context.runtime.createCapture(context.session, textBytes(context));
  await capture.note(lines.join("\n"));
  const captured = await capture.finish();
  const content = await capturedContent(context, context.session, captured, { before: "", notices: [] });
  const { truncation } = captured;
  const fullOutputPath = await fileOf(context, truncation?.artifact ?? null);
  return report(content, { action, path: place.path, totalCells, findings: null, truncation, fullOutputPath });
}
