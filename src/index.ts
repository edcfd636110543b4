export {
  type CallPythonToolOptions,
  callPythonTool,
  type PythonToolResult,
} from "./execute/call-python-tool.ts";
export type { CellReport, NotebookProgress, NotebookRun, RunFailure } from "./execute/notebook/notebook-run.ts";
export type { NotebookParameters } from "./execute/notebook/parameters/parameters.ts";
export {
  type CellProgress,
  type CellsResult,
  type RunCellsOptions,
  runCells,
} from "./execute/run-cells.ts";
export type { NotebookOutcome, NotebooksRun } from "./execute/run-each-notebook.ts";
export { type RunNotebookOptions, runNotebook } from "./execute/run-notebook.ts";
export { KernelError, type KernelErrorCode, type KernelErrorDetails } from "./kernel/errors.ts";
export type {
  KernelEvent,
  LargeContent,
  LargeContents,
  MimeBundle,
  Outcome,
  StreamName,
} from "./kernel/events.ts";
export {
  type HostAnswer,
  type HostCall,
  HostCallError,
  type HostCallErrorDetails,
  type HostToolFacts,
  type HostTools,
  type ToolAnswer,
} from "./kernel/host-call.ts";
export type {
  Availability,
  Completion,
  ExecuteOptions,
  ExitReport,
  Kernel,
  KernelBackend,
  KernelInfo,
  KernelState,
  MatchDetail,
  StartOptions,
} from "./kernel/kernel.ts";
export { createRunnerBackend } from "./kernel/runner/runner-backend.ts";
export type { Variable, VariableLimits, VariableListing } from "./kernel/variables.ts";
export type { Captured, CapturedDisplay, Live, OutputTruncation, ShownPart } from "./output/capture.ts";
export type { ImagePart, JsonPart, StatusPart, TextBeginning } from "./output/display/display-part.ts";
export type { DisplayOutput, OutputPart, ShownDisplay } from "./output/output-part.ts";
export type { FrameKind, ReportedException, TracebackFrame } from "./output/traceback/traceback.ts";
export type { Interpreter } from "./python/interpreter.ts";
export { type ExecutePythonOptions, executePython, type PythonResult } from "./runtime/execute-python.ts";
export type { HostVariables } from "./runtime/kernel/host-variables.ts";
export { type RunNotebooksOptions, runNotebooks } from "./runtime/run-notebooks.ts";
export { createRuntime, type Runtime } from "./runtime/runtime.ts";
export type { RuntimeOptions, SessionChoices } from "./runtime/runtime-options.ts";
export { type StartKernelOptions, startKernel } from "./runtime/start-kernel.ts";
export type { CellError, CellStatus } from "./session/cell/cell-verdict.ts";
export type {
  Cell,
  Execution,
  ExecutionEvent,
  ExecutionResult,
  ExecutionStatus,
} from "./session/execution/execution.ts";
export type { PythonTool } from "./session/host-news.ts";
export type { Ledger } from "./session/ledger.ts";
export type { RunOptions, Session } from "./session/session.ts";
export type { Settings, SettingsOverrides } from "./settings/settings.ts";
export type { GranaryErrorCode } from "./support/error-codes.ts";
export {
  GranaryError,
  type GranaryErrorDetails,
  type GranaryErrorOptions,
  isGranaryError,
} from "./support/granary-error.ts";
export type { JsonValue } from "./support/json/value.ts";
