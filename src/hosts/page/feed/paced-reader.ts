import type { EventStream } from "../../../support/http/event-stream.ts";

/** A reader that is behind by more gets no further events until it has caught up. */
const mostBehindBytes = 16 * 1024 * 1024;

/**
 * A reader of a snapshot and of the changes to it. A slow one misses changes; when it has read everything that was sent to
 * it, it gets a fresh snapshot. So it takes little memory, and always arrives at the present.
 */
export class PacedReader<Event extends object> {
  readonly #stream: EventStream;
  readonly #prepare: (hasGap: boolean) => Promise<() => Event>;
  #isWaiting = true;

  /** @param prepare returns a function that makes the snapshot: with every change up to its call */
  constructor(stream: EventStream, prepare: (hasGap: boolean) => Promise<() => Event>) {
    this.#stream = stream;
    this.#prepare = prepare;
  }

  /** Sends the snapshot. Changes before it are in it. */
  async start(hasGap = false): Promise<void> {
    const snapshot = await this.#prepare(hasGap);
    this.#isWaiting = false;
    this.#stream.send(snapshot());
  }

  send(change: Event): void {
    if (this.#isWaiting) return;
    if (this.#stream.behindBytes <= mostBehindBytes) return this.#stream.send(change);
    this.#isWaiting = true;
    this.#stream.onceRead(() => void this.start(true).catch(() => this.#stream.close()));
  }
}
