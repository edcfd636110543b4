import { sayCount } from "../../support/say-count.ts";
import { renderCode } from "../lines/code-lines.ts";
import { notebookPreviewLines } from "../lines/preview-lines.ts";
import type { ViewOptions } from "../view-options.ts";
import { callLine } from "./call-line.ts";
import { named } from "./code-call.ts";
import { asDiff } from "./file-calls.ts";
import { listIn, numberIn, textIn } from "./input-fields.ts";

/** The action, the cell and the notebook, with the cell's new source. */
export function renderNotebookCall(tool: string, input: unknown, options: ViewOptions): readonly string[] {
  const edits = listIn(input, "edits");
  const edit = textIn(input, "action") === null ? (edits[0] ?? input) : input;
  const subject = [textIn(edit, "action"), textIn(input, "path")].filter((word) => word !== null).join(" ");
  const index = numberIn(edit, "cell_index");
  const facts = [
    index === null ? named("cell", textIn(edit, "cell_id") ?? textIn(edit, "cells")) : `cell ${index}`,
    textIn(edit, "cell_type"),
    edits.length > 1 ? sayCount(edits.length, "edit") : null,
  ];
  const head = callLine(tool, subject, facts, options);
  return options.answered ? head : [...head, ...sourceLines(edit, options)];
}

function sourceLines(edit: unknown, options: ViewOptions): readonly string[] {
  const content = textIn(edit, "content");
  const isCode = (textIn(edit, "cell_type") ?? "code") === "code";
  const [text, language] =
    content === null
      ? [asDiff(textIn(edit, "old"), textIn(edit, "new")), "diff"]
      : [content, isCode ? "python" : "markdown"];
  return renderCode(text, language, { ...options, previewLines: notebookPreviewLines });
}
