const everyMs = 1000;
const soonMs = 30;

/** Calls its watchers soon after a change, and every second for what changes by itself, such as memory. */
export class Pulse {
  readonly #watchers = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Timeout | null = null;

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    this.#timer ??= setInterval(() => this.#beat(), everyMs).unref();
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.close();
    };
  }

  /** Something has changed. */
  now(): void {
    if (this.#watchers.size > 0) this.#soon ??= setTimeout(() => this.#beat(), soonMs).unref();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#soon !== null) clearTimeout(this.#soon);
    this.#timer = null;
    this.#soon = null;
  }

  #beat(): void {
    this.#soon = null;
    for (const watcher of this.#watchers) watcher();
  }
}
