import type { SharedSession } from "../../../session/shared-session.ts";
import { memoryOf } from "./process-memory.ts";

/** The polling interval while something runs. */
const everyMs = 500;

/** The memory of a session's kernel, polled while something runs; otherwise no timer runs. */
export class KernelMemory implements Disposable {
  readonly #session: Pick<SharedSession, "info">;
  readonly #onTick: () => void;
  #timer: NodeJS.Timeout | undefined;
  #bytes: number | null = null;

  /** @param onTick called on every poll, to update the durations on the screen */
  constructor(session: Pick<SharedSession, "info">, onTick: () => void) {
    this.#session = session;
    this.#onTick = onTick;
  }

  /** Null when it is not known. */
  get bytes(): number | null {
    return this.#bytes;
  }

  tickWhile(isBusy: boolean): void {
    if (isBusy) this.#timer ??= setInterval(() => void this.look(), everyMs);
    else this[Symbol.dispose]();
  }

  async look(): Promise<void> {
    const pid = this.#session.info?.pid ?? null;
    this.#bytes = pid === null ? null : await memoryOf(pid);
    this.#onTick();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
