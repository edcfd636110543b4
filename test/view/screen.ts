import xterm from "@xterm/headless";
import { widthOf } from "../../src/output/text/column-width.ts";
import type { StyleName, Theme } from "../../src/view/theme/theme.ts";

/** One cell of the screen: its text and its look. */
export interface Cell {
  readonly characters: string;
  /** Its colours and attributes, as one word; "" for plain text. */
  readonly look: string;
}

/** The cells of a terminal after writing these lines; a line that does not fit continues in the next row. */
export async function cellsOf(lines: readonly string[], width: number): Promise<readonly (readonly Cell[])[]> {
  const terminal = new xterm.Terminal({
    cols: width,
    rows: Math.max(2, lines.length + 1),
    scrollback: 0,
    convertEol: true,
    allowProposedApi: true,
  });
  terminal.unicode.register(graphemeWidths);
  terminal.unicode.activeVersion = graphemeWidths.version;
  await new Promise<void>((resolve) => terminal.write(lines.join("\n"), resolve));
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, at) => rowOf(active.getLine(at), width));
  terminal.dispose();
  while (rows.at(-1)?.length === 0) rows.pop();
  return rows;
}

/** A row without trailing blanks. The right half of a wide character is empty. */
function rowOf(line: xterm.IBufferLine | undefined, width: number): readonly Cell[] {
  const cells: Cell[] = [];
  for (let column = 0; column < width; column++) {
    const cell = line?.getCell(column);
    if (cell !== undefined && cell.getWidth() > 0)
      cells.push({ characters: cell.getChars() || " ", look: lookOf(cell) });
    else if (cell !== undefined) cells.push({ characters: "", look: lookOf(cell) });
  }
  while (cells.at(-1)?.characters === " " && cells.at(-1)?.look === "") cells.pop();
  return cells;
}

function lookOf(cell: xterm.IBufferCell): string {
  const colour = cell.isFgDefault() ? "" : `${cell.getFgColorMode()}:${cell.getFgColor()}`;
  const background = cell.isBgDefault() ? "" : `on ${cell.getBgColorMode()}:${cell.getBgColor()}`;
  return [
    colour,
    background,
    cell.isBold() ? "bold" : "",
    cell.isDim() ? "dim" : "",
    cell.isItalic() ? "italic" : "",
    cell.isUnderline() ? "underlined" : "",
    cell.isStrikethrough() ? "struck" : "",
    cell.isInverse() ? "inverse" : "",
  ]
    .filter((word) => word !== "")
    .join(" ");
}

/** The looks of a theme, and the names of the styles with each look. */
export async function looksOf(theme: Theme): Promise<ReadonlyMap<string, readonly StyleName[]>> {
  const names = Object.keys(theme) as StyleName[];
  const rows = await cellsOf(
    names.map((name) => theme[name]("x")),
    20,
  );
  const looks = new Map<string, StyleName[]>();
  for (const [at, name] of names.entries()) {
    const look = rows[at]?.[0]?.look ?? "";
    if (look !== "") looks.set(look, [...(looks.get(look) ?? []), name]);
  }
  return looks;
}

/**
 * xterm counts code points; current terminals count graphemes. Here a character that joins
 * the one before takes no room of its own.
 */
const graphemeWidths = {
  version: "graphemes",
  wcwidth: (codePoint: number) => widthOf(String.fromCodePoint(codePoint)) as 0 | 1 | 2,
  charProperties(codePoint: number, preceding: number): number {
    const character = String.fromCodePoint(codePoint);
    const width = widthOf(character);
    const precedingWidth = (preceding >> 1) & 3;
    const afterJoiner = preceding >> 3 === joiner;
    const isJoined = preceding !== 0 && (afterJoiner || width === 0 || /[\ufe0f\u{1f3fb}-\u{1f3ff}]/u.test(character));
    const columns = isJoined ? (codePoint === 0xfe0f ? 2 : precedingWidth) : width;
    return ((codePoint === 0x200d ? joiner : 1) << 3) | (columns << 1) | (isJoined ? 1 : 0);
  },
};

const joiner = 2;
