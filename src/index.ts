export { KernelError, type KernelErrorCode, type KernelErrorDetails } from "./kernel/errors.ts";
export type { JsonValue, KernelEvent, MimeBundle, Outcome, StreamName } from "./kernel/events.ts";
export type {
  Availability,
  Completion,
  ExecuteOptions,
  ExitReport,
  Kernel,
  KernelBackend,
  KernelInfo,
  KernelState,
  StartOptions,
} from "./kernel/kernel.ts";
export { createRunnerBackend } from "./kernel/runner/runner-backend.ts";
export { findInterpreter } from "./python/find-interpreter.ts";
export type { Interpreter } from "./python/interpreter.ts";
export { kernelEnvironment } from "./python/kernel-environment.ts";
export { NoPythonError } from "./python/no-python-error.ts";
export { type StartKernelOptions, startKernel } from "./runtime.ts";
