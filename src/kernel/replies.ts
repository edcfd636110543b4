import { type Deferred, deferred } from "../support/deferred.ts";

/** Requests that are waiting for their replies, by id. */
export class Replies<Id, Reply> {
  readonly #waiting = new Map<Id, Deferred<Reply>>();

  /** Sends request `id` and waits for its reply, or until `signal` is aborted. */
  async to(id: Id, send: () => void, signal?: AbortSignal): Promise<Reply> {
    signal?.throwIfAborted();
    const reply = deferred<Reply>();
    const giveUp = (): void => reply.reject(signal?.reason);
    this.#waiting.set(id, reply);
    signal?.addEventListener("abort", giveUp, { once: true });
    send();
    try {
      return await reply.promise;
    } finally {
      signal?.removeEventListener("abort", giveUp);
      this.#waiting.delete(id);
    }
  }

  /** Returns whether the request was still waiting. */
  take(id: Id, reply: Reply): boolean {
    const waiting = this.#waiting.get(id);
    waiting?.resolve(reply);
    return waiting !== undefined;
  }

  fail(explain: () => unknown): void {
    for (const waiting of this.#waiting.values()) waiting.reject(explain());
  }
}
