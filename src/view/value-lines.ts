import type { LookedText } from "../output/output-part.ts";
import { highlight } from "./highlight/highlight.ts";
import { colouredLines } from "./text/coloured-lines.ts";
import { printableLines } from "./text/printable.ts";
import type { Theme } from "./theme/theme.ts";

/** A longer text is shown without colours. */
const longestPainted = 20_000;

/** A displayed text: in its own colours, or highlighted where it is Python code. */
export function valueLines({ text, look }: LookedText, theme: Theme): readonly string[] {
  const coloured = look.coloured === null ? null : colouredLines(look.coloured.trimEnd());
  if (coloured !== null) return coloured;
  const lines = text.trimEnd().split("\n").flatMap(printableLines);
  return look.kind === "value" && isPythonCode(text) ? highlight(lines, "python", theme) : lines;
}

/** A container, a text, a number, a constant or a call such as `Point(x=1)`; not a table of numbers. */
function isPythonCode(text: string): boolean {
  if (text.length > longestPainted) return false;
  return /^(?:[[({'"]|[a-zA-Z]{0,2}['"]|(?:None|True|False|-?[\d.]+(?:e[+-]?\d+)?j?)\s*$|[A-Za-z_][\w.]*\()/.test(text);
}
