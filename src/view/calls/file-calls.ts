import { sayCount } from "../../support/say-count.ts";
import { languageOfFile } from "../highlight/highlight.ts";
import { renderCode } from "../lines/code-lines.ts";
import { previewLines } from "../lines/preview-lines.ts";
import type { ViewOptions } from "../view-options.ts";
import { callLine } from "./call-line.ts";
import { named } from "./code-call.ts";
import { listIn, numberIn, textIn } from "./input-fields.ts";

export function renderBashCall(tool: string, input: unknown, options: ViewOptions): readonly string[] {
  const timeout = numberIn(input, "timeout");
  const facts = [timeout === null ? null : `timeout ${timeout} s`, named("cwd", textIn(input, "cwd"))];
  const head = callLine(tool, "", facts, options);
  if (options.answered) return head;
  return [...head, ...renderCode(textIn(input, "command") ?? "", "bash", { ...options, previewLines })];
}

export function renderReadCall(tool: string, input: unknown, options: ViewOptions): readonly string[] {
  return callLine(tool, textIn(input, "path") ?? "", [], options);
}

export function renderWriteCall(tool: string, input: unknown, options: ViewOptions): readonly string[] {
  const path = textIn(input, "path") ?? "";
  const content = textIn(input, "content") ?? "";
  const head = callLine(tool, path, [], options);
  return options.answered
    ? head
    : [...head, ...renderCode(content, languageOfFile(path), { ...options, previewLines })];
}

export function renderEditCall(tool: string, input: unknown, options: ViewOptions): readonly string[] {
  const edits = listIn(input, "edits");
  const facts = [edits.length > 1 ? sayCount(edits.length, "edit") : null];
  const head = callLine(tool, textIn(input, "path") ?? "", facts, options);
  if (options.answered) return head;
  const diff = edits.map((edit) => asDiff(textIn(edit, "old"), textIn(edit, "new"))).join("");
  return [...head, ...renderCode(diff, "diff", { ...options, previewLines })];
}

/** The old and the new text; both may still be missing. */
export function asDiff(before: string | null, after: string | null): string {
  const lines = (sign: string, text: string | null) =>
    text === null ? "" : `${text.replace(/\n$/, "").replaceAll(/^/gm, sign)}\n`;
  return lines("-", before) + lines("+", after);
}
