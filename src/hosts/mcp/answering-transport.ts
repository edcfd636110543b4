import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";

/** A transport that knows which requests of the client have no answer yet. */
export class AnsweringTransport implements Transport {
  readonly #inner: Transport;
  readonly #open = new Set<string | number>();
  #onAnswered: () => void = () => {};

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  set onmessage(listener: Transport["onmessage"]) {
    this.#inner.onmessage = (message, extra) => {
      this.#take(message);
      listener?.(message, extra);
    };
  }

  set onerror(listener: Transport["onerror"]) {
    this.#inner.onerror = listener;
  }

  set onclose(listener: Transport["onclose"]) {
    this.#inner.onclose = listener;
  }

  /** Settles when every request so far has its answer, or was cancelled by the client. */
  answered(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswered = () => {
        if (this.#open.size === 0) resolve();
      };
      this.#onAnswered();
    });
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async send(...[message, options]: Parameters<Transport["send"]>): Promise<void> {
    await this.#inner.send(message, options);
    if (!("method" in message) && "id" in message && message.id !== undefined) this.#close(message.id);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #take(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    // A subscription has no answer: it lasts as long as the connection.
    const hasAnswer = "id" in message && message.id !== undefined && message.method !== "subscriptions/listen";
    if (hasAnswer) this.#open.add(message.id);
    const cancelled = message.method === "notifications/cancelled" ? message.params?.requestId : undefined;
    if (typeof cancelled === "string" || typeof cancelled === "number") this.#close(cancelled);
  }

  #close(id: string | number): void {
    this.#open.delete(id);
    this.#onAnswered();
  }
}
