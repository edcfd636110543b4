/** The line at the top of the screen: a cell and a line in it. */
export interface Scroll {
  readonly cell: number;
  readonly line: number;
}

/** Cells as a column of lines. Computes heights only where needed: a notebook may have ten thousand cells. */
export interface Column {
  readonly cells: number;
  readonly rows: number;
  height(cell: number): number;
}

/** Scrolls just far enough to show a cell; of a cell higher than the screen, its beginning. */
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

/** Scrolls by this many lines, up when negative, and stops at the ends. */
export function scrolled(scroll: Scroll, lines: number, column: Column): Scroll {
  let { cell, line } = scroll;
  line += lines;
  while (line < 0 && cell > 0) line += column.height(--cell);
  while (cell < column.cells - 1 && line >= column.height(cell)) line -= column.height(cell++);
  const furthest = withBottomAt(column.cells - 1, column);
  const isBeyond = cell > furthest.cell || (cell === furthest.cell && line > furthest.line);
  return isBeyond ? furthest : { cell, line: Math.max(0, line) };
}

/** The visible cells, each with its range of visible lines. */
export function* visibleCells(scroll: Scroll, column: Column): Generator<{ cell: number; from: number; to: number }> {
  let left = column.rows;
  for (let cell = scroll.cell; cell < column.cells && left > 0; cell++) {
    const from = cell === scroll.cell ? scroll.line : 0;
    const to = Math.min(column.height(cell), from + left);
    if (to > from) yield { cell, from, to };
    left -= Math.max(0, to - from);
  }
}

/** Places the cell's last line at the bottom of the screen. */
function withBottomAt(last: number, column: Column): Scroll {
  let cell = last;
  let above = column.rows - column.height(cell);
  while (above > 0 && cell > 0) above -= column.height(--cell);
  return { cell, line: Math.max(0, -above) };
}
