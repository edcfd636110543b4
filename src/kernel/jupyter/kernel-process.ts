import type { StreamName } from "../events.ts";
import type { Trouble } from "../trouble.ts";

/** The process behind a channel: one of ours, an attached kernel, or a kernel on a server. */
export interface KernelProcess {
  /** Null for a process on another machine. */
  readonly pid: number | null;
  /** Settles when the kernel has ended, as far as Granary can know. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Delivers one interrupt, by a signal or by asking a server; rejects where that failed. Undefined where only a message can. */
  readonly interrupt: (() => Promise<void>) | undefined;
  /** Whether it belongs to another client, and outlives us. */
  readonly attached: boolean;
  /** Whether closing only detaches from it, so that a later process can use it. */
  readonly outlivesUs?: boolean;
  /** Ends the kernel, busy or not; settles when it has ended. An attached kernel is left alone. */
  terminate(): Promise<void>;
  /**
   * Ends the kernel cleanly, or detaches from it. `requestShutdown` sends it the shutdown message; a server needs none, since
   * it sends its own.
   */
  close(requestShutdown: () => void): Promise<void>;
  /**
   * A round trip that works also while a cell runs; rejects when the kernel ends first. Where there is none, the control
   * channel is asked.
   */
  readonly ping?: ((signal?: AbortSignal) => Promise<void>) | undefined;
  /** As `Kernel.findTrouble`. */
  findTrouble(signal?: AbortSignal): Promise<Trouble | null>;
  /** Listens to output that bypasses Jupyter's messages, where the messages do not contain it. */
  onOutput?(listener: (name: StreamName, text: string) => void): void;
  /** The last output that bypassed Jupyter's messages, such as the words of a crash. */
  readonly said?: string;
}

export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** A sentence, where neither is known: `The server says that the kernel is gone.` */
  readonly reason?: string | undefined;
}
