import { connect, type Socket } from "node:net";
import { type GranaryError, isGranaryError } from "../../../support/granary-error.ts";
import { isExhaustion } from "../../../support/process/exhaustion.ts";
import type { SocketType } from "./commands.ts";
import { ZmtpConnection } from "./connection.ts";

export type Endpoint = { readonly host: string; readonly port: number } | { readonly path: string };

export interface ZmtpSocketOptions {
  readonly type: SocketType;
  readonly endpoint: Endpoint;
  /** A ROUTER knows us by this name, on every connection and socket. */
  readonly identity?: string | undefined;
  /** The largest accepted message; 1 GiB by default. */
  readonly messageLimit?: number | undefined;
  onMessage(frames: readonly Buffer[]): void;
  /** Connected. `again` when there was a connection before: messages sent in between are lost. */
  onUp?(again: boolean): void;
  /** Disconnected; reconnects until `close`. */
  onDown?(): void;
  /** No descriptors were left for the first connection. It is tried again until `close`. */
  onShortage?(error: Error): void;
  /** The peer does not speak ZeroMQ. There is no second attempt. */
  onFailed(error: GranaryError): void;
}

// A starting kernel is not there yet; it should not wait for us when it is.
const pausesMs = [2, 5, 10, 10, 10, 20, 20, 20, 50, 100, 200];
const handshakeMs = 10_000;
const oneGibibyte = 1024 ** 3;

/** A ZeroMQ socket that connects to one endpoint, and reconnects by itself. */
export class ZmtpSocket {
  readonly #options: ZmtpSocketOptions;
  #connection: ZmtpConnection | undefined;
  #waiting: (readonly Uint8Array[])[] = [];
  #held = false;
  #attempts = 0;
  #wasUp = false;
  #isOver = false;
  #retry: NodeJS.Timeout | undefined;
  #onGone: (() => void)[] = [];

  constructor(options: ZmtpSocketOptions) {
    this.#options = options;
    this.#connect();
  }

  get isUp(): boolean {
    return this.#connection?.isOpen ?? false;
  }

  get bytesRead(): number {
    return this.#connection?.bytesRead ?? 0;
  }

  /** Messages sent while disconnected go out with the next connection. */
  send(frames: readonly Uint8Array[]): void {
    if (this.#isOver) return;
    if (this.#connection?.isOpen) this.#connection.send(frames);
    else this.#waiting.push(frames);
  }

  hold(held: boolean): void {
    this.#held = held;
    this.#connection?.hold(held);
  }

  /** The peer is about to end: settles when all its messages have been read. */
  drain(): Promise<void> {
    this.#finish();
    this.hold(false);
    return this.#connection ? new Promise((resolve) => this.#onGone.push(resolve)) : Promise.resolve();
  }

  close(): void {
    this.#finish();
    if (this.#connection?.isOpen) this.#connection.end();
    else this.#connection?.destroy();
    // A peer that does not answer, or that we hold, must not delay us.
    setTimeout(() => this.#connection?.destroy(), 100).unref();
  }

  #finish(): void {
    this.#isOver = true;
    clearTimeout(this.#retry);
  }

  #connect(): void {
    const socket = openSocket(this.#options.endpoint);
    const tooSlow = setTimeout(() => socket.destroy(new Error("the handshake takes too long")), handshakeMs).unref();
    const connection = new ZmtpConnection(socket, {
      type: this.#options.type,
      identity: this.#options.identity ?? "",
      messageLimit: this.#options.messageLimit ?? oneGibibyte,
      onOpen: () => {
        clearTimeout(tooSlow);
        this.#attempts = 0;
        for (const frames of this.#waiting.splice(0)) connection.send(frames);
        this.#options.onUp?.(this.#wasUp);
        this.#wasUp = true;
      },
      onMessage: (frames) => this.#options.onMessage(frames),
      onClose: (error) => {
        clearTimeout(tooSlow);
        this.#lose(connection.isOpen, error);
      },
    });
    if (this.#held) connection.hold(true);
    this.#connection = connection;
  }

  #lose(wasOpen: boolean, error: Error | undefined): void {
    this.#connection = undefined;
    for (const tell of this.#onGone.splice(0)) tell();
    if (this.#isOver) return;
    if (isGranaryError(error, "protocol")) {
      this.#finish();
      return this.#options.onFailed(error);
    }
    const pause = pausesMs[Math.min(this.#attempts++, pausesMs.length - 1)] as number;
    this.#retry = setTimeout(() => this.#connect(), pause);
    if (!this.#wasUp && error !== undefined && isExhaustion(error)) this.#options.onShortage?.(error);
    if (wasOpen) this.#options.onDown?.();
  }
}

function openSocket(endpoint: Endpoint): Socket {
  return "path" in endpoint ? connect({ path: endpoint.path }) : connect({ host: endpoint.host, port: endpoint.port });
}
