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
