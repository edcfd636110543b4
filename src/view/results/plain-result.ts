import type { ToolContent } from "../../tools/definition/tool.ts";
import { gutterWidth } from "../lines/gutter.ts";
import { noticeLines } from "../lines/notice-lines.ts";
import { renderOutput } from "../lines/output-lines.ts";
import { previewLines } from "../lines/preview-lines.ts";
import { oneLine } from "../text/printable.ts";
import { wrapWords } from "../text/wrap.ts";
import type { ViewOptions } from "../view-options.ts";
import { contentText, type ShownResult } from "./result.ts";

/** A result without details, as the model reads it. */
export function renderPlainResult(result: ShownResult, options: ViewOptions): readonly string[] {
  const others = result.content.filter((part) => part.type !== "text").map(sayPart);
  const text = renderOutput(contentText(result), { ...options, previewLines });
  return [...text, ...noticeLines(others, options, options.theme.muted)];
}

/** A failed call: its text begins with `Error: `. */
export function renderErrorResult(result: ShownResult, options: ViewOptions): readonly string[] {
  const width = options.width - gutterWidth;
  const { sentence, others } = errorParts(result);
  const rows = wrapWords(sentence, width).map((row, at) => options.theme.error(`${at === 0 ? "✗" : " "} ${row}`));
  return [...rows, ...renderOutput(others, { ...options, previewLines })];
}

/** The same, below a line that names the call's subject. */
export function renderErrorText(result: ShownResult, options: ViewOptions): readonly string[] {
  const { sentence, others } = errorParts(result);
  const rows = wrapWords(sentence, options.width).map((row) => options.theme.error(row));
  return [...rows, ...renderOutput(others, { ...options, previewLines })];
}

function errorParts(result: ShownResult): { readonly sentence: string; readonly others: string } {
  const [first = "", ...others] = contentText(result).split("\n");
  const sentence = oneLine(first.startsWith("Error:") ? first : `Error: ${first}`);
  return { sentence, others: others.join("\n") };
}

function sayPart(part: ToolContent): string {
  if (part.type === "image") return `[${part.mimeType}]`;
  return part.type === "link" ? `${part.name}: ${part.uri}` : "";
}
