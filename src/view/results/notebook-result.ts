import type { EditDetails } from "../../notebook/edit/edit-action.ts";
import { sayCount } from "../../support/say-count.ts";
import type { NotebookDetails, NotebookEditDetails, NotebookLookDetails } from "../../tools/definition/details.ts";
import { renderCode } from "../lines/code-lines.ts";
import { besideBar, gutterWidth, indented } from "../lines/gutter.ts";
import { headWithFacts } from "../lines/head-line.ts";
import { moreLine } from "../lines/more-line.ts";
import { noticeLines } from "../lines/notice-lines.ts";
import { notebookPreviewLines } from "../lines/preview-lines.ts";
import { statusMark } from "../lines/status-mark.ts";
import { renderMarkdown } from "../markdown.ts";
import { clamp } from "../text/fit.ts";
import { oneLine } from "../text/printable.ts";
import type { ViewOptions } from "../view-options.ts";
import { renderNotebookRun } from "./notebook-run.ts";
import { renderErrorText, renderPlainResult } from "./plain-result.ts";
import type { ShownResult } from "./result.ts";

export function renderNotebookResult(
  details: NotebookDetails,
  result: ShownResult,
  options: ViewOptions,
): readonly string[] {
  if (result.isError && details.action !== "run") return renderFailure(details.path, result, options);
  switch (details.action) {
    case "run":
      return renderNotebookRun(details, result, options);
    case "failed":
      return renderFailure(details.path, result, options);
    case "show":
    case "find":
    case "outline":
    case "check":
    case "new":
      return renderLook(details, result, options);
    default:
      return renderEdit(details, options);
  }
}

/** The notebook, and why the call failed. */
function renderFailure(path: string, result: ShownResult, options: ViewOptions): readonly string[] {
  const { theme, width } = options;
  const head = headWithFacts(`${statusMark("error", theme)} `, path, [], options);
  const rows = renderErrorText(result, { ...options, width: width - gutterWidth });
  return [head, ...indented(rows)];
}

/** The notebook, and its text. */
function renderLook(details: NotebookLookDetails, result: ShownResult, options: ViewOptions): readonly string[] {
  const { action, path, totalCells, findings } = details;
  const facts = [
    action === "new" ? "made" : "",
    sayCount(totalCells, "cell"),
    findings === null || findings === 0 ? "" : sayCount(findings, "finding"),
  ];
  const told = facts.filter((fact) => fact !== "").map((fact) => options.theme.muted(fact));
  const head = headWithFacts(`${statusMark("ok", options.theme)} `, path, told, options);
  return action === "new" ? [head] : [head, ...renderPlainResult(result, options)];
}

/** The edit and the resulting or deleted cell; of several edits, the last one's. */
function renderEdit(details: NotebookEditDetails, options: ViewOptions): readonly string[] {
  const { theme, width } = options;
  const { path, totalCells, edits = [], outputsAreStale } = details;
  const mark = statusMark("ok", theme);
  const steps =
    edits.length < 2 ? [] : edits.map((edit) => clamp(`${mark} ${summaryOf(edit)[0]}`, width - gutterWidth));
  const [done, place] = steps.length === 0 ? summaryOf(details) : [sayCount(edits.length, "edit"), "of"];
  const head = `${mark} ${done} ${place} ${theme.title(oneLine(path))}${theme.muted(` · ${sayCount(totalCells, "cell")}`)}`;
  return [
    clamp(head, width),
    ...indented(steps),
    ...renderSource(details, options),
    ...noticeLines(outputsAreStale ? ["Its outputs are from an older source."] : [], options),
  ];
}

/** `inserted markdown cell 3`, and the preposition before the notebook's name: `into` */
function summaryOf({ action, cellIndex, cellType }: EditDetails): readonly [done: string, place: string] {
  const [done, place] = verbs[action];
  const cell = cellIndex === null ? "all cells" : `${cellType ?? ""} cell ${cellIndex}`.trimStart();
  return [`${done} ${cell}`, place];
}

const verbs: Readonly<Record<EditDetails["action"], readonly [done: string, place: string]>> = {
  edit: ["edited", "in"],
  insert: ["inserted", "into"],
  delete: ["deleted", "from"],
  move: ["moved", "in"],
  replace: ["replaced text of", "in"],
  type: ["changed", "in"],
  clear: ["cleared", "in"],
  split: ["split", "in"],
  merge: ["merged", "in"],
};

function renderSource({ cellSource, cellType }: NotebookEditDetails, options: ViewOptions): readonly string[] {
  if (cellSource === null || cellSource === "") return [];
  if (cellType !== "markdown") {
    const language = cellType === "raw" ? "" : "python";
    return renderCode(cellSource, language, { ...options, previewLines: notebookPreviewLines });
  }
  const width = options.width - gutterWidth;
  const rows = renderMarkdown(cellSource, { ...options, width });
  const most = options.expanded ? rows.length : notebookPreviewLines;
  const more = moreLine(Math.max(0, rows.length - most), "more line", options, width);
  return besideBar([...rows.slice(0, most), ...more], options.theme);
}
