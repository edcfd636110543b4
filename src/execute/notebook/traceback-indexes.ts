import type { NotebookRun } from "./notebook-run.ts";

/**
 * A traceback whose cells have the index that the rest of a report gives them. Python names a cell by its execution
 * count; the cell of a count that is not of this run is named as Jupyter does.
 */
export function withIndexes(traceback: string, { cells }: Pick<NotebookRun, "cells">): string {
  const indexes = new Map(cells.map(({ executionCount, index }) => [executionCount, index]));
  return traceback.replace(/File "<cell (\d+)>"/g, (_, count: string) => {
    const index = indexes.get(Number(count));
    return `File "${index === undefined ? `In [${count}]` : `cell ${index}`}"`;
  });
}
