import { type Deferred, deferred } from "./deferred.ts";

/** So many empty places are worth a copy of the rest. */
const mostTaken = 1024;

/**
 * Events from a producer that cannot wait to one consumer that may be slow. `weigh` returns an
 * event's weight; `onPressure` tells the producer when to pause and when to resume.
 */
export class EventQueue<T> {
  readonly #weigh: (event: T) => number;
  readonly #onPressure: (full: boolean) => void;
  readonly #onTaken: ((event: T) => void) | undefined;
  #limit: number;
  /** Undefined before `#taken`: a consumer that is always behind must not keep every event that it has had. */
  #events: (T | undefined)[] = [];
  #taken = 0;
  #weight = 0;
  #full = false;
  #abandoned = false;
  #end: { readonly error?: unknown } | undefined;
  /** There only while nothing is queued. */
  #waiting: Deferred<IteratorResult<T, undefined>> | undefined;

  constructor(options: {
    limit: number;
    weigh: (event: T) => number;
    onPressure: (full: boolean) => void;
    /** Called when the consumer gets an event. */
    onTaken?: ((event: T) => void) | undefined;
  }) {
    this.#limit = options.limit;
    this.#weigh = options.weigh;
    this.#onPressure = options.onPressure;
    this.#onTaken = options.onTaken;
  }

  push(event: T): void {
    if (this.#end || this.#abandoned) return;
    if (this.#waiting) return this.#handOver(this.#waiting, event);
    this.#events.push(event);
    this.#weight += this.#weigh(event);
    this.#setFull(this.#weight > this.#limit);
  }

  /** Raises the limit: for a consumer that is behind while the producer must reach its end. */
  extend(limit: number): void {
    this.#limit = Math.max(limit, this.#limit);
    this.#setFull(this.#full && this.#weight > this.#limit);
  }

  /** The consumer has left: drops queued and later events. */
  abandon(): void {
    this.#abandoned = true;
    this.#events = [];
    this.#taken = 0;
    this.#weight = 0;
    this.#setFull(false);
  }

  /** No more events; queued events are still delivered, then `error`, if any, is thrown. */
  end(error?: unknown): void {
    if (this.#end) return;
    this.#end = error === undefined ? {} : { error };
    if (error === undefined) this.#waiting?.resolve({ done: true, value: undefined });
    else this.#waiting?.reject(error);
    this.#waiting = undefined;
  }

  /** The next event, or the end. As with any iterator, call it again only after it has settled. */
  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#taken < this.#events.length) return Promise.resolve({ done: false, value: this.#take() });
    if (this.#end) {
      return "error" in this.#end ? Promise.reject(this.#end.error) : Promise.resolve({ done: true, value: undefined });
    }
    this.#waiting ??= deferred();
    return this.#waiting.promise;
  }

  /** Past the queue: a consumer that keeps up costs one promise an event. */
  #handOver(waiting: Deferred<IteratorResult<T, undefined>>, event: T): void {
    this.#waiting = undefined;
    this.#onTaken?.(event);
    waiting.resolve({ done: false, value: event });
  }

  #take(): T {
    const event = this.#events[this.#taken] as T;
    this.#events[this.#taken++] = undefined;
    if (this.#taken === this.#events.length || this.#taken === mostTaken) {
      this.#events = this.#events.slice(this.#taken);
      this.#taken = 0;
    }
    this.#weight -= this.#weigh(event);
    this.#setFull(this.#full && this.#weight > this.#limit / 4);
    this.#onTaken?.(event);
    return event;
  }

  #setFull(full: boolean): void {
    if (full === this.#full) return;
    this.#full = full;
    this.#onPressure(full);
  }
}
