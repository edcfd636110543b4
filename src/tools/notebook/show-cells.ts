import { checkNotebook } from "../../execute/notebook/check/check-notebook.ts";
import { sayCheck } from "../../execute/notebook/check/say-check.ts";
import { type CellSelection, selectCells } from "../../execute/notebook/plan-cells.ts";
import { saveNotebook } from "../../notebook/file/save-notebook.ts";
import { newNotebook } from "../../notebook/new-notebook.ts";
import { escapeHeadings } from "../../output/own-lines.ts";
import { sanitize } from "../../output/text/sanitize.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { fileOf } from "../code/keep.ts";
import { textBytes } from "../code/result-budget.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { NotebookLookDetails } from "../definition/details.ts";
import type { ToolContent, ToolResult } from "../definition/tool.ts";
import type { NamedFile } from "../files/named-file.ts";
import { readNotebookAt } from "../files/notebook-text.ts";
import { makeWay } from "../files/write-text-file.ts";
import { capturedContent } from "./captured-content.ts";
import { takeOutputs } from "./shown-outputs.ts";

/** A notebook's cells with their outputs, including pictures. */
export async function showCells(
  context: ToolContext,
  place: NamedFile,
  wanted: CellSelection,
): Promise<ToolResult<NotebookLookDetails>> {
  const notebook = await readNotebookAt(place);
  const chosen = selectCells(notebook, wanted);
  const capture = context.runtime.createCapture(context.session, textBytes(context));
  for (const [index, cell] of notebook.cells.entries()) {
    if (chosen !== null && !chosen.has(cell)) continue;
    const count = cell.executionCount === null ? "" : `, [${cell.executionCount}]`;
    await capture.note(`[cell ${index}: ${cell.type}${count}${cell.id === null ? "" : `, id ${cell.id}`}]`);
    await capture.note(escapeHeadings(sanitize(cell.source)));
    if (!cell.hasOutputs) continue;
    await capture.note("[output]");
    await takeOutputs(cell.outputs, capture);
  }
  const captured = await capture.finish();
  const before = captured.output === "" ? "[no cells]" : "";
  const content = await capturedContent(context, context.session, captured, { before, notices: [] });
  const { truncation } = captured;
  const fullOutputPath = await fileOf(context, truncation?.artifact ?? null);
  const totalCells = notebook.cells.length;
  return report(content, { action: "show", path: place.path, totalCells, findings: null, truncation, fullOutputPath });
}

/** Finds outputs that do not match the code. */
export async function checkCells(place: NamedFile, name: string): Promise<ToolResult<NotebookLookDetails>> {
  const notebook = await readNotebookAt(place);
  const check = checkNotebook(notebook);
  const text = sayCheck(check, name);
  const totalCells = notebook.cells.length;
  return report([{ type: "text", text }], {
    action: "check",
    path: place.path,
    totalCells,
    findings: check.findings.length,
  });
}

export async function makeNotebook(place: NamedFile, name: string): Promise<ToolResult<NotebookLookDetails>> {
  const isNew = await makeWay(place);
  if (!isNew)
    throw new GranaryError("exists", `There is a file at ${place.path} already. Edit it, or choose another name.`);
  await saveNotebook(newNotebook({ path: place.real }), { within: place.within });
  const text = `Made ${name}, without cells.`;
  return report([{ type: "text", text }], { action: "new", path: place.path, totalCells: 0, findings: null });
}

export function report(content: readonly ToolContent[], details: NotebookLookDetails): ToolResult<NotebookLookDetails> {
  const { path, totalCells, findings } = details;
  return { content, isError: false, details, structured: { path, totalCells, ...(findings !== null && { findings }) } };
}
