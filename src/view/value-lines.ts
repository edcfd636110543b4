import type { LookedText } from "../output/output-part.ts";
import { highlight } from "./highlight/highlight.ts";
import { colouredLines } from "./text/coloured-lines.ts";
import { printableLines } from "./text/printable.ts";
import type { Theme } from "./theme/theme.ts";

/** A longer one is shown as it is: nobody reads it for its colours. */
const longestPainted = 20_000;

/** A text that was displayed: in its own colours, or in those of Python where it is written as Python code is. */
export function valueLines({ text, look }: LookedText, theme: Theme): readonly string[] {
  const coloured = look.coloured === null ? null : colouredLines(look.coloured.trimEnd());
  if (coloured !== null) return coloured;
  const lines = text.trimEnd().split("\n").flatMap(printableLines);
  return look.kind === "value" && isPythonCode(text) ? highlight(lines, "python", theme) : lines;
}

/** A container, a text, a number, a constant or a call such as `Point(x=1)`; a table of numbers is none. */
function isPythonCode(text: string): boolean {
  if (text.length > longestPainted) return false;
  return /^(?:[[({'"]|[a-zA-Z]{0,2}['"]|(?:None|True|False|-?[\d.]+(?:e[+-]?\d+)?j?)\s*$|[A-Za-z_][\w.]*\()/.test(text);
}
