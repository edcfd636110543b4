/** The line at the top of the screen: that line of that cell. */
export interface Scroll {
  readonly cell: number;
  readonly line: number;
}

/** Cells as a column of lines. Heights are asked for only where they matter: a notebook may have ten thousand cells. */
export interface Column {
  readonly cells: number;
  readonly rows: number;
  height(cell: number): number;
}

/** Scrolls no more than needed for a cell to be seen; of one that is higher than the screen, its beginning. */
export function showing(cell: number, scroll: Scroll, column: Column): Scroll {
  if (column.cells === 0) return { cell: 0, line: 0 };
  const height = column.height(cell);
  if (cell < scroll.cell || (cell === scroll.cell && scroll.line > 0 && height <= column.rows))
    return { cell, line: 0 };
  let top = -scroll.line;
  for (let at = scroll.cell; at < cell && top < column.rows; at++) top += column.height(at);
  if (top + Math.min(height, column.rows) <= column.rows) return scroll;
  return height >= column.rows ? { cell, line: 0 } : withBottomAt(cell, column);
}

/** Scrolls by so many lines, up when negative, and no further than there is something. */
export function scrolled(scroll: Scroll, lines: number, column: Column): Scroll {
  let { cell, line } = scroll;
  line += lines;
  while (line < 0 && cell > 0) line += column.height(--cell);
  while (cell < column.cells - 1 && line >= column.height(cell)) line -= column.height(cell++);
  const furthest = withBottomAt(column.cells - 1, column);
  const isBeyond = cell > furthest.cell || (cell === furthest.cell && line > furthest.line);
  return isBeyond ? furthest : { cell, line: Math.max(0, line) };
}

/** The cells that can be seen, and of each the lines from one to another. */
export function* visibleCells(scroll: Scroll, column: Column): Generator<{ cell: number; from: number; to: number }> {
  let left = column.rows;
  for (let cell = scroll.cell; cell < column.cells && left > 0; cell++) {
    const from = cell === scroll.cell ? scroll.line : 0;
    const to = Math.min(column.height(cell), from + left);
    if (to > from) yield { cell, from, to };
    left -= Math.max(0, to - from);
  }
}

/** So that the cell's last line is the last on the screen. */
function withBottomAt(last: number, column: Column): Scroll {
  let cell = last;
  let above = column.rows - column.height(cell);
  while (above > 0 && cell > 0) above -= column.height(--cell);
  return { cell, line: Math.max(0, -above) };
}
