import type { Kernel } from "../../kernel/kernel.ts";
import { type Trouble, whyEnded } from "../../kernel/trouble.ts";
import { deadlineAfter } from "../../support/deadline.ts";

/** So many beats in a row that find the same trouble mean that it does not pass. */
const hopelessAfter = 3;

interface HeartbeatListener {
  /** Told at every beat what it has found. */
  onBeat(trouble: Trouble | null): void;
  /** Told once, when there is nothing to hope for any more. */
  onHopeless(reason: string): void;
}

/** Looks after kernels from outside: a Python that is busy answers nobody, and is well. */
export class Heartbeat {
  readonly #everyMs: number;
  readonly #watched = new Map<Kernel, NodeJS.Timeout>();

  /** @param everyMs 0 for no heartbeat at all */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  watch(kernel: Kernel, { onBeat, onHopeless }: HeartbeatListener): void {
    if (this.#everyMs === 0 || this.#watched.has(kernel)) return;
    let beatsInTrouble = 0;
    let isLooking = false;
    const beat = async (): Promise<void> => {
      if (isLooking) return;
      isLooking = true;
      const trouble = await this.#lookAt(kernel);
      isLooking = false;
      if (!this.#watched.has(kernel)) return;
      onBeat(trouble);
      // Somebody may have stopped a kernel that no cell needs, and will continue it.
      const matters = trouble !== null && !(trouble.mayPass && kernel.state === "idle");
      beatsInTrouble = matters ? beatsInTrouble + 1 : 0;
      if (trouble === null || beatsInTrouble < hopelessAfter) return;
      this.#forget(kernel);
      onHopeless(whyEnded(trouble));
    };
    this.#watched.set(kernel, setInterval(beat, this.#everyMs).unref());
    void kernel.exited.then(() => this.#forget(kernel));
  }

  stop(): void {
    for (const kernel of [...this.#watched.keys()]) this.#forget(kernel);
  }

  async #lookAt(kernel: Kernel): Promise<Trouble | null> {
    using deadline = deadlineAfter(this.#everyMs);
    return kernel.findTrouble(deadline.signal).catch(() => null);
  }

  #forget(kernel: Kernel): void {
    clearInterval(this.#watched.get(kernel));
    this.#watched.delete(kernel);
  }
}

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
