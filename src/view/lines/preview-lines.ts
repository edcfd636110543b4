/** Rows of code and of output in the preview of a tool's block. */
export const previewLines = 10;

/** Rows of a cell's source in the view of `notebook`. */
export const notebookPreviewLines = 6;

/** Rows of output for code that a person typed. */
export const interactivePreviewLines = 20;
