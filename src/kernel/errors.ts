import type { ExitReport } from "./kernel.ts";

/** What Granary failed at; what Python did is an event instead. */
export type KernelErrorCode =
  | "busy"
  | "kernel-died"
  | "kernel-closed"
  | "start-failed"
  | "start-timeout"
  | "protocol"
  | "not-answered";

export interface KernelErrorDetails {
  readonly exit?: ExitReport;
  /** For `kernel-died`: whether the cell had begun; one that had not is safe to send again. */
  readonly started?: boolean;
  readonly [detail: string]: unknown;
}

/** `message` is a sentence for people that names the remedy; `code` is for programs. */
export class KernelError extends Error {
  override readonly name = "KernelError";
  readonly code: KernelErrorCode;
  readonly details: KernelErrorDetails;

  constructor(code: KernelErrorCode, message: string, options: { details?: KernelErrorDetails; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}
