import headless from "@xterm/headless";

export interface ScreenCell {
  readonly text: string;
  /** Red, green and blue as one number for a direct colour, else the number of a palette colour; null for the terminal's default. */
  readonly foreground: number | null;
  readonly background: number | null;
}

/** The screen of a terminal of that size after writing these lines. */
export async function screenOf(lines: readonly string[], columns: number): Promise<readonly ScreenCell[][]> {
  const terminal = new headless.Terminal({ cols: columns, rows: lines.length + 1, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(lines.join("\r\n"), resolve));
  const cells = lines.map((_, y) => {
    const line = terminal.buffer.active.getLine(y);
    return Array.from({ length: columns }, (_, x) => {
      const cell = line?.getCell(x);
      return {
        text: cell?.getChars() ?? "",
        foreground: cell === undefined || cell.isFgDefault() ? null : cell.getFgColor(),
        background: cell === undefined || cell.isBgDefault() ? null : cell.getBgColor(),
      };
    });
  });
  terminal.dispose();
  return cells;
}
