import { stripVTControlCharacters } from "node:util";
import { printableLines } from "./printable.ts";
import { ActiveStyles } from "./sgr.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: SGR sequences begin with one
const styles = /(\u001b\[[\d;:]*m)/;

/**
 * The lines of a text that a program coloured for a terminal, as rich does: nothing in them moves the cursor, and no style
 * extends beyond its line. Null for a text without colours.
 */
export function colouredLines(text: string): readonly string[] | null {
  if (!styles.test(text)) return null;
  const active = new ActiveStyles();
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      let shown = active.on;
      line.split(styles).forEach((part, at) => {
        const isStyle = at % 2 === 1;
        if (isStyle) active.take(part);
        shown += isStyle ? part : printableLines(stripVTControlCharacters(part)).join(" ");
      });
      return shown + active.off;
    });
}
