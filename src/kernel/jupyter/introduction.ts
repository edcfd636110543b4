import { deferred } from "../../support/deferred.ts";
import type { JsonObject } from "../../support/json/value.ts";
import type { JupyterChannel } from "./messages/channel.ts";
import type { Composer } from "./messages/compose.ts";
import { objectOf, stringOf } from "./messages/to-event.ts";

export interface Introduction {
  readonly language: string;
  readonly version: string;
  readonly implementation: string;
  /** The kernel's own session. */
  readonly session: string;
}

// A request waits for a kernel that is still starting, so asking again helps only against a subscription that came late.
const publishedInTimeMs = 50;
const nudgeEveryMs = 2000;

/**
 * Asks the kernel who it is until both its reply and what it publishes have come: a subscription that the kernel learns
 * of too late misses the beginning of the first cell. Rejects with the signal's reason, or with what `failed` rejects with.
 */
export async function introduction(
  channel: JupyterChannel,
  composer: Composer,
  { signal, failed }: { readonly signal?: AbortSignal | undefined; readonly failed: Promise<never> },
): Promise<Introduction> {
  const asked = new Set<string>();
  const replied = deferred<{ readonly session: string; readonly content: JsonObject }>();
  const published = deferred<void>();
  const stopped = deferred<never>();
  channel.listen({
    onMessage({ channel: where, header, parentHeader, content }) {
      if (!asked.has(parentHeader.msg_id ?? "")) return;
      if (where === "iopub" && content.execution_state === "idle") published.resolve();
      if (header.msg_type !== "kernel_info_reply") return;
      replied.resolve({ session: header.session, content });
      soon = setTimeout(nudge, publishedInTimeMs);
    },
    onLost: (reason) => stopped.reject(new Error(reason)),
    // Nothing has been printed yet.
    onGap: () => undefined,
  });
  let soon: NodeJS.Timeout | undefined;
  const nudge = (): void => {
    const request = composer.compose("shell", "kernel_info_request", {});
    asked.add(request.header.msg_id);
    channel.send(request);
  };
  const giveUp = (): void => stopped.reject(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", giveUp, { once: true });
  const nudging = setInterval(nudge, nudgeEveryMs);
  nudge();
  try {
    const both = Promise.all([replied.promise, published.promise]);
    const [{ session, content }] = await Promise.race([both, stopped.promise, failed]);
    const language = objectOf(content.language_info);
    return {
      language: stringOf(language.name),
      version: stringOf(language.version),
      implementation: stringOf(content.implementation),
      session,
    };
  } finally {
    clearInterval(nudging);
    clearTimeout(soon);
    signal?.removeEventListener("abort", giveUp);
  }
}
