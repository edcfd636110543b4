import type { SharedSession } from "../../../session/shared-session.ts";
import { memoryOf } from "./process-memory.ts";

/** How often it is looked at while something runs. */
const everyMs = 500;

/** The memory of a session's kernel, kept up to date while something runs; nothing ticks when nothing does. */
export class KernelMemory implements Disposable {
  readonly #session: Pick<SharedSession, "info">;
  readonly #onTick: () => void;
  #timer: NodeJS.Timeout | undefined;
  #bytes: number | null = null;

  /** @param onTick called on every look, for times that are shown to go on */
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
