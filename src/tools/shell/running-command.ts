/** The details of a command whose end is not known yet. */
export const runningCommand = {
  status: "running",
  exitCode: null,
  signal: null,
  durationMs: null,
  output: "",
  totalLines: null,
  totalBytes: null,
  truncation: null,
  fullOutputPath: null,
  fullOutput: null,
  notices: [],
} as const;
