import { type Deferred, deferred } from "../../../support/deferred.ts";
import type { JsonObject } from "../../../support/json/value.ts";

/** Requests that are waiting for their replies, by message id. */
export class JupyterReplies {
  readonly #waiting = new Map<string, Deferred<JsonObject>>();

  async to(id: string, ask: () => void, signal?: AbortSignal): Promise<JsonObject> {
    signal?.throwIfAborted();
    const reply = deferred<JsonObject>();
    const giveUp = (): void => reply.reject(signal?.reason);
    this.#waiting.set(id, reply);
    signal?.addEventListener("abort", giveUp, { once: true });
    ask();
    try {
      return await reply.promise;
    } finally {
      signal?.removeEventListener("abort", giveUp);
      this.#waiting.delete(id);
    }
  }

  /** Whether somebody has waited for it. */
  take(id: string, content: JsonObject): boolean {
    const reply = this.#waiting.get(id);
    reply?.resolve(content);
    return reply !== undefined;
  }

  fail(error: unknown): void {
    for (const reply of this.#waiting.values()) reply.reject(error);
  }
}
