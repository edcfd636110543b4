interface Counted {
  readonly index: number;
  readonly executionCount: number | null;
}

/**
 * A traceback that names cells by index, like the rest of a report. Python names a cell by its execution
 * count; a count from outside of this run keeps Jupyter's form.
 */
export function withIndexes(traceback: string, { cells }: { readonly cells: readonly Counted[] }): string {
  const indexes = new Map(cells.map(({ executionCount, index }) => [executionCount, index]));
  return traceback.replace(/File "<cell (\d+)>"/g, (_, count: string) => {
    const index = indexes.get(Number(count));
    return `File "${index === undefined ? `In [${count}]` : `cell ${index}`}"`;
  });
}
