import type { Trouble } from "../../kernel/trouble.ts";

/** A cell that was sent has then had at least one whole pause between two heartbeats to begin. */
const reportedAtBeat = 2;

/** Reports a cell that its kernel does not begin. The heartbeat asks, so that a cell that begins at once pays nothing. */
export class AwaitedBeginning {
  #report: ((reason: string) => void) | null = null;
  #beats = 0;

  /** A cell has been sent. */
  sent(report: (reason: string) => void): void {
    this.#report = report;
    this.#beats = 0;
  }

  /** It has begun, or never will. */
  settled(): void {
    this.#report = null;
  }

  beat(trouble: Trouble | null): void {
    if (this.#report === null) return;
    this.#beats += 1;
    if (this.#beats === reportedAtBeat)
      this.#report(`The kernel has not begun the cell yet. ${trouble?.reason ?? busy}`);
  }
}

const busy = "It may be busy with something else, such as a thread of an earlier cell that holds the interpreter lock.";
