/** Rows of code and of output that a tool's block shows when it is not expanded. */
export const previewLines = 10;

/** Rows of a cell's source in what `notebook` shows. */
export const notebookPreviewLines = 6;

/** Rows of output of what a person typed. */
export const interactivePreviewLines = 20;
