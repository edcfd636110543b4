import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import type { StyleName, Theme } from "../../src/view/theme/theme.ts";
import { type Cell, cellsOf, looksOf } from "./screen.ts";

/**
 * Compares a terminal's screen with `screens/<name>.txt`, which is for people to read: each row as text and below it, where
 * there are styles, a row of letters that name them. `UPDATE_SCREENS=1` writes the files again.
 */
export async function expectScreen(
  name: string,
  lines: readonly string[],
  { width, theme }: { readonly width: number; readonly theme: Theme },
): Promise<void> {
  const rows = await cellsOf(lines, width);
  expect(rows.length, "no line is wider than the screen").toBeLessThanOrEqual(lines.length);
  const seen = describeScreen(rows, width, await looksOf(theme));
  const file = inRepository(`test/view/screens/${name}.txt`);
  if (process.env.UPDATE_SCREENS || !existsSync(file)) {
    if (process.env.CI) throw new Error(`${file} is missing; write it with UPDATE_SCREENS=1.`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, seen);
  }
  expect(seen, "UPDATE_SCREENS=1 writes it again").toBe(readFileSync(file, "utf8"));
}

/** The letter of each style. Styles that look the same share the first one's letter. */
const letters: Readonly<Record<StyleName, string>> = {
  keyword: "k",
  string: "s",
  comment: "c",
  number: "n",
  builtin: "b",
  definition: "d",
  decorator: "@",
  key: "y",
  error: "E",
  warning: "W",
  success: "S",
  running: "R",
  added: "+",
  removed: "-",
  title: "T",
  accent: "A",
  muted: "m",
  border: "|",
  heading: "H",
  strong: "*",
  emphasis: "/",
  struck: "x",
  code: "`",
  link: "l",
};

function describeScreen(
  rows: readonly (readonly Cell[])[],
  width: number,
  looks: ReadonlyMap<string, readonly StyleName[]>,
): string {
  const used = new Map<string, string>();
  const body = rows.flatMap((row) => {
    const text = row.map(({ characters }) => characters).join("");
    const styles = row.map(({ look, characters }) => letterOf(look, characters, looks, used)).join("");
    return styles.trim() === "" ? [`  ${text}`.trimEnd()] : [`  ${text}`.trimEnd(), `» ${styles}`.trimEnd()];
  });
  const legend = [...used].map(([letter, names]) => `${letter} ${names}`).sort();
  const head = `${width} columns; a row that begins with » says how the row above it looks`;
  return `${[`${head}${legend.length === 0 ? "" : `: ${legend.join(", ")}`}`, "─".repeat(width + 2), ...body].join("\n")}\n`;
}

function letterOf(
  look: string,
  characters: string,
  looks: ReadonlyMap<string, readonly StyleName[]>,
  used: Map<string, string>,
): string {
  if (look === "" || characters === " ") return " ";
  const names = looks.get(look);
  if (names === undefined) {
    used.set("?", `something else (${look})`);
    return "?";
  }
  const letter = letters[names[0] as StyleName];
  used.set(letter, names.join("/"));
  return letter;
}
