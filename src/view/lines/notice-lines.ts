import type { OutputTruncation } from "../../output/capture.ts";
import { sayBytes } from "../../output/text/say-size.ts";
import { sayCount } from "../../support/say-count.ts";
import { printableLines } from "../text/printable.ts";
import { wrapWords } from "../text/wrap.ts";
import type { Style } from "../theme/theme.ts";
import type { ViewOptions } from "../view-options.ts";
import { gutterWidth, indented } from "./gutter.ts";

/** Sentences for a person, each on rows of its own. */
export function noticeLines(notices: readonly string[], options: ViewOptions, style?: Style): readonly string[] {
  const paint = style ?? options.theme.warning;
  return notices.flatMap((notice) => {
    const rows = printableLines(notice.trim()).flatMap((line) => wrapWords(line, options.width - gutterWidth));
    return indented(rows.map((row) => (row === "" ? "" : paint(row))));
  });
}

/** How much of an output is left out, and where all of it is. */
export function truncationLines(
  truncation: OutputTruncation | null,
  fullOutputPath: string | null,
  options: ViewOptions,
): readonly string[] {
  if (truncation === null) return [];
  const { elidedLines, elidedBytes, totalLines, totalBytes, artifact, problem } = truncation;
  const what = elidedLines > 0 ? sayCount(elidedLines, "line") : sayBytes(elidedBytes);
  const where = artifact ?? fullOutputPath;
  const sentences = [
    `${what} left out of ${sayCount(totalLines, "line")}, ${sayBytes(totalBytes)}.`,
    where === null ? "" : `All of it: ${where}`,
    problem === null ? "" : `It could not be kept${where === null ? "" : " to its end"}: ${problem}`,
  ];
  return noticeLines([sentences.filter((sentence) => sentence !== "").join(" ")], options);
}

/** For a reader who has seen the whole output: where to look at it again. */
export function keptOutputLines(truncation: OutputTruncation | null, options: ViewOptions): readonly string[] {
  if (truncation === null || truncation.artifact === null) return [];
  const { totalLines, totalBytes, artifact, problem } = truncation;
  const extent = `${sayCount(totalLines, "line")}, ${sayBytes(totalBytes)}`;
  const where = problem === null ? `All of it: ${artifact}` : `The beginning of it: ${artifact} (${problem})`;
  return noticeLines([`${extent}. ${where}`], options, options.theme.muted);
}
