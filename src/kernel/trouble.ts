import { isStopped } from "../support/process/process-state.ts";

/**
 * The reason why a kernel cannot run cells, according to the system or its server. A Python that does not answer is no
 * trouble: C code may hold the interpreter lock for minutes.
 */
export interface Trouble {
  /** A sentence. */
  readonly reason: string;
  /** Whether it may pass: an idle kernel is then left alone. */
  readonly mayPass: boolean;
}

/** The trouble of a process that has been stopped; null for any other. */
export async function stoppedProcess(pid: number, whose = "the kernel"): Promise<Trouble | null> {
  if (!(await isStopped(pid))) return null;
  return { reason: `The process ${pid} of ${whose} has been stopped (SIGSTOP).`, mayPass: true };
}

/** The sentence for a kernel that was ended because of it. */
export function whyEnded({ reason, mayPass }: Trouble): string {
  return mayPass ? `${reason} Granary has ended the kernel.` : reason;
}
