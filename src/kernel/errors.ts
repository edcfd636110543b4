import { GranaryError, type GranaryErrorDetails } from "../support/granary-error.ts";
import type { ExitReport } from "./kernel.ts";

export type KernelErrorCode =
  | "busy"
  | "kernel-died"
  | "kernel-closed"
  | "start-failed"
  | "start-timeout"
  | "no-folder"
  | "protocol"
  | "not-answered";

export interface KernelErrorDetails extends GranaryErrorDetails {
  readonly exit?: ExitReport;
  /** For `kernel-died`: whether the cell had begun; one that had not is safe to send again. */
  readonly started?: boolean;
}

/**
 * What a kernel throws. A session tells by the class that its kernel has failed, and not a listener to its events.
 *
 * @example
 * if (error instanceof KernelError && error.code === "kernel-died") console.error(error.message);
 */
export class KernelError extends GranaryError<KernelErrorCode, KernelErrorDetails> {
  override readonly name = "KernelError";
}
