import type { ServerResponse } from "node:http";

/** Proxies and sleeping laptops drop connections that are silent for longer. */
const aliveEveryMs = 15_000;

/** Server-sent events for one client, each a JSON object. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #alive: NodeJS.Timeout;
  readonly #onClose = new Set<() => void>();
  #isClosed = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on("error", () => {}); // `close` follows
    response.on("close", () => this.#closed());
    this.#alive = setInterval(() => response.write(":\n\n"), aliveEveryMs).unref();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Bytes that the client has not read yet. */
  get behindBytes(): number {
    return this.#response.writableLength;
  }

  send(event: object): void {
    if (!this.#isClosed) this.#response.write(`data: ${JSON.stringify(event)}\n\n`);
  }

  /** Calls once, when the client has read everything that was sent. */
  onceRead(listener: () => void): void {
    if (this.#response.writableNeedDrain) this.#response.once("drain", listener);
    else listener();
  }

  onClose(listener: () => void): void {
    if (this.#isClosed) listener();
    else this.#onClose.add(listener);
  }

  close(): void {
    this.#response.end();
  }

  /** Without waiting for the client to read the rest, which it may never do. */
  cut(): void {
    this.#response.destroy();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#alive);
    for (const listener of this.#onClose) listener();
  }
}
