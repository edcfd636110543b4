import { sayBytes } from "../../output/text/say-size.ts";
import { sayCount } from "../../support/say-count.ts";
import type { EditFileDetails, ReadDetails, WriteDetails } from "../../tools/definition/details.ts";
import { languageOfFile } from "../highlight/highlight.ts";
import { type CodeOptions, renderCode } from "../lines/code-lines.ts";
import { headWithFacts } from "../lines/head-line.ts";
import { truncationLines } from "../lines/notice-lines.ts";
import { statusMark } from "../lines/status-mark.ts";
import type { ViewOptions } from "../view-options.ts";

export function renderReadResult(details: ReadDetails, options: CodeOptions): readonly string[] {
  const { path, form, text } = details;
  const language = form === "cells" ? "ipynb" : form === "text" ? languageOfFile(path) : "";
  return [
    fileLine(path, sayWhatIsShown(details), options),
    ...renderCode(text, language, options),
    ...truncationLines(details.truncation, null, options),
  ];
}

function sayWhatIsShown({ form, text, firstLine, totalLines }: ReadDetails): string {
  if (form === "picture") return "picture";
  const shown = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  if (form === "folder") return sayCount(shown, "entry", "entries");
  const isAll = firstLine <= 1 && shown === totalLines;
  if (isAll || shown === 0) return sayCount(shown, "line");
  return `lines ${firstLine}–${firstLine + shown - 1}${totalLines === null ? "" : ` of ${totalLines}`}`;
}

export function renderEditResult(
  { path, replacements, diff }: EditFileDetails,
  options: CodeOptions,
): readonly string[] {
  return [fileLine(path, sayCount(replacements, "replacement"), options), ...renderCode(diff, "diff", options)];
}

export function renderWriteResult(details: WriteDetails, options: CodeOptions): readonly string[] {
  const { path, created, bytes, lines, text } = details;
  const what = `${created ? "created" : "written"}, ${sayCount(lines, "line")}, ${sayBytes(bytes)}`;
  return [fileLine(path, what, options), ...renderCode(text, languageOfFile(path), options)];
}

function fileLine(path: string, what: string, { width, theme }: ViewOptions): string {
  return headWithFacts(`${statusMark("ok", theme)} `, path, [theme.muted(what)], { width, theme });
}
