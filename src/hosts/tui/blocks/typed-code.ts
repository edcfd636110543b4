import { highlight } from "../../../view/highlight/highlight.ts";
import { printableLines } from "../../../view/text/printable.ts";
import { fold } from "../../../view/text/wrap.ts";
import type { Look } from "./block.ts";

export const promptWidth = 2;

/** Code as the editor showed it. */
export function typedCode(
  code: string,
  language: string,
  { width, theme }: Pick<Look, "width" | "theme">,
): readonly string[] {
  const lines = highlight(printableLines(code), language, theme);
  const rows = lines.flatMap((line) => fold(line, width - promptWidth - 1));
  return rows.map((row, at) => `${theme.accent(at === 0 ? "❯" : "·")} ${row}`);
}
