export { callPythonTool, type PythonToolResult } from "./execute/call-python-tool.ts";
export type { CellReport, NotebookProgress, NotebookRun, RunFailure } from "./execute/notebook/notebook-run.ts";
export type { NotebookParameters } from "./execute/notebook/parameters/parameters.ts";
export type { OutputDifference } from "./execute/notebook/verify/comparable-outputs.ts";
export type { NotebookOutcome, NotebooksRun } from "./execute/run-each-notebook.ts";
export { type RunNotebookOptions, runNotebook } from "./execute/run-notebook.ts";
export { KernelError, type KernelErrorCode, type KernelErrorDetails } from "./kernel/errors.ts";
export type {
  KernelEvent,
  LargeContent,
  MimeBundle,
  StreamName,
} from "./kernel/events.ts";
export type { HostImage } from "./kernel/host-call.ts";
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
  BackendName,
  CellStack,
  Completeness,
  Completion,
  ExecuteOptions,
  ExitReport,
  Kernel,
  KernelInfo,
  KernelState,
  ReadersTerminal,
  RestoredState,
  StackFrame,
} from "./kernel/kernel.ts";
export type { Variable, VariableLimits, VariableListing } from "./kernel/variables.ts";
export type { CellAddress } from "./notebook/edit/address.ts";
export type { CapturedDisplay, OutputTruncation, ShownPart } from "./output/capture.ts";
export type { ImagePart, JsonPart, KeptPart, StatusEvent, StatusPart } from "./output/display/display-part.ts";
export type { LiveEvent } from "./output/live-feed.ts";
export type { DisplayOutput, OutputPart } from "./output/output-part.ts";
export type { ProgressBar } from "./output/progress-bar.ts";
export type { ReportedException, TracebackFrame } from "./output/traceback/traceback.ts";
export type { Interpreter } from "./python/interpreter.ts";
export type { PythonValue } from "./python/python-literal.ts";
export { type ExecutePythonOptions, executePython, type PythonResult } from "./runtime/execute-python.ts";
export type { HostVariables } from "./runtime/kernel/start-environment.ts";
export { type RunNotebooksOptions, runNotebooks } from "./runtime/run-notebooks.ts";
export { createRuntime, type Runtime } from "./runtime/runtime.ts";
export type { RuntimeOptions, SessionChoices } from "./runtime/runtime-options.ts";
export { type StartKernelOptions, startKernel } from "./runtime/start-kernel.ts";
export type { CellError, CellStatus } from "./session/cell/cell-verdict.ts";
export type { Checkpoint, RestoreTarget } from "./session/checkpoints/timeline.ts";
export type {
  Cell,
  Execution,
  ExecutionEvent,
  ExecutionResult,
  ExecutionStatus,
} from "./session/execution/execution.ts";
export type { Gap, Logged } from "./session/execution/execution-log.ts";
export type { ExecutionLook } from "./session/execution/look-inside.ts";
export type { Failure } from "./session/failure.ts";
export type { Move } from "./session/kernel-life/life.ts";
export type { Ledger } from "./session/ledger.ts";
export type { PythonTool, PythonTools } from "./session/python-tools.ts";
export type { CellToRun } from "./session/run-cells.ts";
export {
  type CellProgress,
  type CellsResult,
  type RunCellsOptions,
  runCells,
} from "./session/run-cells.ts";
export type { RunOptions, Session } from "./session/session.ts";
export type { SettingDefaults } from "./settings/load-settings.ts";
export type { SettingName, Settings, SettingsOverrides } from "./settings/settings.ts";
export type { Environment } from "./support/environment.ts";
export type { GranaryErrorCode } from "./support/error-codes.ts";
export {
  GranaryError,
  type GranaryErrorDetails,
  isGranaryError,
} from "./support/granary-error.ts";
export type { JsonObject, JsonValue } from "./support/json/value.ts";
export type { TreeProcess } from "./support/process/process-tree.ts";
