import type { Kernel } from "../kernel/kernel.ts";
import { deadlineAfter } from "../support/deadline.ts";

/** So many in a row that were not answered mean that nobody is there. */
const missedBeats = 3;

/**
 * Asks remote kernels whether they are alive. A process of our own needs no asking: its exit is told at once.
 */
export class Heartbeat {
  readonly #everyMs: number;
  readonly #watched = new Map<Kernel, NodeJS.Timeout>();

  /** @param everyMs 0 for no heartbeat at all */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** `onSilence` is called once, when a kernel has not answered for a while. */
  watch(kernel: Kernel, onSilence: (reason: string) => void): void {
    const isOurs = kernel.info.pid !== null;
    if (isOurs || this.#everyMs === 0 || this.#watched.has(kernel)) return;
    let missed = 0;
    let isAsking = false;
    const beat = async (): Promise<void> => {
      if (isAsking) return;
      isAsking = true;
      missed = (await this.#answers(kernel)) ? 0 : missed + 1;
      isAsking = false;
      if (missed < missedBeats || !this.#watched.has(kernel)) return;
      this.#forget(kernel);
      onSilence(`The kernel did not answer ${missedBeats} heartbeats in a row.`);
    };
    this.#watched.set(kernel, setInterval(beat, this.#everyMs).unref());
    void kernel.exited.then(() => this.#forget(kernel));
  }

  stop(): void {
    for (const kernel of [...this.#watched.keys()]) this.#forget(kernel);
  }

  async #answers(kernel: Kernel): Promise<boolean> {
    using deadline = deadlineAfter(this.#everyMs);
    try {
      await kernel.ping(deadline.signal);
      return true;
    } catch {
      return false;
    }
  }

  #forget(kernel: Kernel): void {
    clearInterval(this.#watched.get(kernel));
    this.#watched.delete(kernel);
  }
}
