import type { StreamName } from "../events.ts";
import type { Trouble } from "../trouble.ts";

/** What stands behind a channel: a process of ours, somebody else's kernel, or a kernel on a server. */
export interface KernelProcess {
  /** Null where it runs somewhere else. */
  readonly pid: number | null;
  /** Settles when the kernel has ended, as far as anybody can tell from here. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Delivers one interrupt, by a signal or by asking a server; rejects where that failed. Undefined where only a message can. */
  readonly interrupt: (() => Promise<void>) | undefined;
  /** Whether it belongs to somebody else, and outlives us. */
  readonly attached: boolean;
  /** Whether closing it only lets go of it, for somebody who comes later. */
  readonly outlivesUs?: boolean;
  /** Ends the kernel, whatever it is doing; settles when it has ended. Somebody else's kernel is left alone. */
  terminate(): Promise<void>;
  /**
   * Ends the kernel in peace, or leaves it to whom it belongs. `requestShutdown` sends it the message that asks it to
   * end; a server, which does that itself, has no need for it.
   */
  close(requestShutdown: () => void): Promise<void>;
  /**
   * A round trip that works also while a cell runs; rejects when the kernel ends first. Where there is none, the control
   * channel is asked.
   */
  readonly ping?: ((signal?: AbortSignal) => Promise<void>) | undefined;
  /** As `Kernel.findTrouble`. */
  findTrouble(signal?: AbortSignal): Promise<Trouble | null>;
  /** Tells what the process prints past Jupyter's messages, where that is not in the messages too. */
  onOutput?(listener: (name: StreamName, text: string) => void): void;
  /** The last that the process has printed past Jupyter's messages: what it said while it was dying. */
  readonly said?: string;
}

export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** A sentence, where neither is known: `The server says that the kernel is gone.` */
  readonly reason?: string | undefined;
}
