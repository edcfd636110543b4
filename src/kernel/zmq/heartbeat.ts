import { type Deferred, deferred } from "../../support/deferred.ts";
import { type Endpoint, ZmtpSocket } from "./zmtp/socket.ts";

/** A kernel's echo, which its own thread answers while the kernel is busy. */
export class HeartbeatSocket {
  readonly #socket: ZmtpSocket;
  readonly #waiting = new Map<string, Deferred<void>>();
  #beats = 0;

  constructor(endpoint: Endpoint) {
    this.#socket = new ZmtpSocket({
      type: "REQ",
      endpoint,
      onMessage: (frames) => this.#waiting.get(frames.at(-1)?.toString("latin1") ?? "")?.resolve(),
      // No answer comes then, as from a dead kernel.
      onFailed: () => undefined,
    });
  }

  async beat(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const beat = `beat ${++this.#beats}`;
    const echo = deferred<void>();
    const giveUp = (): void => echo.reject(signal?.reason);
    this.#waiting.set(beat, echo);
    signal?.addEventListener("abort", giveUp, { once: true });
    // REQ: an empty frame, then the question.
    this.#socket.send([Buffer.alloc(0), Buffer.from(beat, "latin1")]);
    try {
      await echo.promise;
    } finally {
      signal?.removeEventListener("abort", giveUp);
      this.#waiting.delete(beat);
    }
  }

  /** Rejects every pending echo. */
  close(): void {
    this.#socket.close();
    for (const echo of this.#waiting.values()) echo.reject(new Error("The heartbeat was closed."));
  }
}
