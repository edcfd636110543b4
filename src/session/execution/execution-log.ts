import { type Deferred, deferred } from "../../support/deferred.ts";

/** An event with its place in the log, from 0. */
export interface Logged<T> {
  readonly index: number;
  readonly event: T;
}

/** Events that a reader came too late for. */
export interface Gap {
  readonly type: "gap";
  readonly events: number;
  /** Where their text can still be read, `artifact://…`; null when it is nowhere. */
  readonly artifact: string | null;
}

export interface LogOptions<T> {
  /** How much of it is kept. */
  readonly limit: number;
  /** How much of the limit an event takes. */
  readonly weigh: (event: T) => number;
  /** Where what was dropped can still be read. */
  readonly artifact: () => string | null;
}

interface Entry<T> {
  readonly event: T;
  readonly weight: number;
}

/**
 * Everything that happened, for any number of readers, each at its own pace, from any place on. Old events are dropped
 * when the log grows too heavy: a stuck reader costs nothing, stalls no other, and gets a `gap` with what it missed.
 */
export class ExecutionLog<T> {
  readonly #options: LogOptions<T>;
  #entries: Entry<T>[] = [];
  #first = 0;
  #weight = 0;
  #hasEnded = false;
  #changed: Deferred<void> | null = null;

  constructor(options: LogOptions<T>) {
    this.#options = options;
  }

  /** The place that the next event will have. */
  get end(): number {
    return this.#first + this.#entries.length;
  }

  /** Of what is kept. */
  get weight(): number {
    return this.#weight;
  }

  append(event: T): void {
    const weight = this.#options.weigh(event);
    this.#entries.push({ event, weight });
    this.#weight += weight;
    if (this.#weight > this.#options.limit) this.#dropOld();
    this.#wake();
  }

  /** Nothing more will come. */
  close(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** The events from a place on, without waiting. */
  read(since = 0): readonly (Logged<T> | Logged<Gap>)[] {
    const from = Math.max(0, since);
    const first = Math.max(from, this.#first);
    const kept = this.#entries
      .slice(first - this.#first)
      .map(({ event }, offset) => ({ index: first + offset, event }));
    return first === from ? kept : [{ index: first - 1, event: this.#gap(first - from) }, ...kept];
  }

  /** Everything from a place on, as it comes, up to the end. */
  async *follow(since = 0): AsyncGenerator<Logged<T> | Logged<Gap>, void> {
    let next = since;
    for (;;) {
      for (const logged of this.read(next)) {
        yield logged;
        next = logged.index + 1;
      }
      if (next < this.end) continue;
      if (this.#hasEnded) return;
      this.#changed ??= deferred();
      await this.#changed.promise;
    }
  }

  #gap(events: number): Gap {
    return { type: "gap", events, artifact: this.#options.artifact() };
  }

  /** Down to half of the limit, so that it does not happen with every event. */
  #dropOld(): void {
    let count = 0;
    // The newest stays, however heavy.
    while (this.#weight > this.#options.limit / 2 && count < this.#entries.length - 1) {
      this.#weight -= this.#entries[count]?.weight ?? 0;
      count += 1;
    }
    this.#entries = this.#entries.slice(count);
    this.#first += count;
  }

  #wake(): void {
    this.#changed?.resolve();
    this.#changed = null;
  }
}
