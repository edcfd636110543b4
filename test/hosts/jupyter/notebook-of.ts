/** A notebook with these code cells. */
export function notebookOf(sources: readonly string[]): object {
  return {
    cells: sources.map((source, index) => ({
      cell_type: "code",
      id: `cell-${index}`,
      metadata: {},
      execution_count: null,
      outputs: [],
      source,
    })),
    metadata: { kernelspec: { name: "python3", display_name: "Python 3", language: "python" } },
    nbformat: 4,
    nbformat_minor: 5,
  };
}
