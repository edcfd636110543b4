import { type Deferred, deferred } from "../../support/deferred.ts";

/** Questions to the runner that are waiting for their answers. */
export class RunnerReplies {
  readonly #waiting = new Map<number, Deferred<unknown>>();

  /** Asks question `id` and waits for its answer, or until `signal` is aborted. */
  async to(id: number, ask: () => void, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const reply = deferred<unknown>();
    this.#waiting.set(id, reply);
    const giveUp = (): void => reply.reject(signal?.reason);
    signal?.addEventListener("abort", giveUp, { once: true });
    ask();
    try {
      return await reply.promise;
    } finally {
      signal?.removeEventListener("abort", giveUp);
      this.#waiting.delete(id);
    }
  }

  take(id: number, value: unknown): void {
    this.#waiting.get(id)?.resolve(value);
  }

  fail(error: unknown): void {
    for (const reply of this.#waiting.values()) reply.reject(error);
  }
}
