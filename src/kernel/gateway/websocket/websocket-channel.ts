import WebSocket from "ws";
import type { JsonObject } from "../../../support/json/value.ts";
import { LostRequest } from "../../jupyter/cell/lost-request.ts";
import type { ChannelListener, JupyterChannel } from "../../jupyter/messages/channel.ts";
import type { JupyterMessage } from "../../jupyter/messages/message.ts";
import { InterruptedCell } from "../interrupted-cell.ts";
import { shownUrl } from "../rest/gateway-address.ts";
import { Arrivals } from "./arrivals.ts";
import { type KernelSocketOptions, openSocket } from "./open-socket.ts";
import { v1Codec, type WebSocketCodec } from "./websocket-codec.ts";

export interface WebSocketChannelOptions extends KernelSocketOptions {
  /** Why reconnecting is useless, as a sentence; null when it may work. */
  readonly whyLost: () => Promise<string | null>;
  /** Settles when an interrupt for an earlier cell can no longer hit the next one; null when there is none. */
  readonly interruptUnderWay: () => Promise<void> | null;
  /** The server reports that the kernel has died. */
  readonly onKernelDied: (status: JsonObject) => void;
  /** How long to try to reconnect. */
  readonly timeoutMs: number;
  /** A connection counts as broken after so long a silence, and as long again without an answer to a ping. */
  readonly silenceMs: number;
}

const firstPauseMs = 50;
const longestPauseMs = 5000;
const connectWithinMs = 10_000;
const lastAttemptMs = 1000;
const closeWithinMs = 1000;
const deathStates: readonly unknown[] = ["restarting", "autorestarting", "dead"];

/** A channel to a kernel through a gateway's WebSocket. Reconnects by itself. */
export class WebSocketChannel implements JupyterChannel {
  readonly #options: WebSocketChannelOptions;
  readonly #arrivals: Arrivals;
  readonly #cell: InterruptedCell;
  readonly #lostRequest: LostRequest;
  #listener: ChannelListener | undefined;
  #socket: WebSocket | undefined;
  #codec: WebSocketCodec = v1Codec;
  /** Messages to send after the next connect. */
  #waiting: JupyterMessage[] = [];
  #bytesRead: () => number = () => 0;
  #held = false;
  #closed = false;
  #pongIsDue = false;
  #heardSomething = true;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(options: WebSocketChannelOptions) {
    this.#options = options;
    this.#arrivals = new Arrivals(options.session);
    this.#cell = new InterruptedCell(this.#arrivals, (reason) => this.#listener?.onGap(reason));
    this.#lostRequest = new LostRequest(options.session, {
      transmit: (message) => this.#transmit(message),
      deliver: (message) => this.#deliver(message),
      // The server keeps messages that the kernel sends during the gap; messages on their way to us are lost.
      whatIsKnownOf: (request) => this.#cell.whatIsKnownOf(request),
    });
  }

  /** Connects. Rejects when there is no connection at the first attempt, or with the signal's reason. */
  async open(signal?: AbortSignal): Promise<void> {
    await this.#connect(signal);
    this.#heartbeat = setInterval(() => this.#beat(), this.#options.silenceMs);
    this.#heartbeat.unref();
  }

  get bytesRead(): number {
    return this.#bytesRead();
  }

  send(message: JupyterMessage): void {
    this.#cell.sent(message);
    const interrupt = message.header.msg_type === "execute_request" ? this.#options.interruptUnderWay() : null;
    if (interrupt === null) this.#transmit(message);
    else void interrupt.then(() => this.#transmit(message));
  }

  listen(listener: ChannelListener): void {
    this.#listener = listener;
  }

  hold(held: boolean): void {
    this.#held = held;
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (held) this.#socket.pause();
    else this.#socket.resume();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    this.#cell.close();
    const socket = this.#socket;
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    const deadline = setTimeout(() => socket.terminate(), closeWithinMs);
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    // A paused socket does not notice that the other side closes.
    if (this.#held) socket.resume();
    socket.close(1000);
    await closed;
    clearTimeout(deadline);
  }

  async #connect(signal?: AbortSignal): Promise<void> {
    const { socket, codec, bytesRead } = await openSocket(this.#options, signal);
    this.#socket = socket;
    this.#bytesRead = bytesRead;
    this.#codec = codec;
    this.#heardSomething = true;
    socket.on("message", (data: Buffer, isBinary: boolean) => this.#take(isBinary ? data : data.toString()));
    socket.on("pong", () => {
      this.#heardSomething = true;
    });
    socket.on("close", () => {
      if (!this.#closed) void this.#reconnect();
    });
    if (!this.#held) socket.resume();
    if (this.#closed) return void socket.close(1000);
    for (const message of this.#waiting.splice(0)) this.#transmit(message);
  }

  #transmit(message: JupyterMessage): void {
    if (this.#closed) return;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(this.#codec.encode(message));
    else this.#waiting.push(message);
  }

  #take(data: string | Buffer): void {
    this.#heardSomething = true;
    this.#acknowledgeSoon();
    let message: JupyterMessage;
    try {
      message = this.#codec.decode(data);
    } catch (error) {
      return this.#listener?.onGap(`the gateway sent an invalid Jupyter message: ${error}`);
    }
    if (this.#arrivals.note(message) && !this.#lostRequest.takes(message)) this.#deliver(message);
  }

  #deliver(message: JupyterMessage): void {
    this.#cell.received(message);
    const { header, content } = message;
    if (header.msg_type === "status" && deathStates.includes(content.execution_state)) {
      return this.#options.onKernelDied(content);
    }
    const notice = rateLimitNotice(message, this.#options.session);
    if (notice === null) this.#listener?.onMessage(message);
    else this.#listener?.onGap(notice);
  }

  /**
   * Servers use Nagle's algorithm, which waits for our acknowledgement, and our system delays that for 40 ms unless we
   * send something. So we send something.
   */
  #acknowledgeSoon(): void {
    if (this.#pongIsDue) return;
    this.#pongIsDue = true;
    setImmediate(() => {
      this.#pongIsDue = false;
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.pong();
    });
  }

  /** A connection can be dead without notice: a laptop slept, a router forgot. */
  #beat(): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN || this.#held) return;
    if (!this.#heardSomething) return socket.terminate();
    this.#heardSomething = false;
    socket.ping();
  }

  async #reconnect(): Promise<void> {
    const { address, whyLost, timeoutMs } = this.#options;
    this.#cell.interrupted();
    const giveUpAt = Date.now() + timeoutMs;
    for (let pause = firstPauseMs; !this.#closed; pause = Math.min(pause * 2, longestPauseMs)) {
      const reason = await whyLost();
      if (this.#closed) return;
      if (reason !== null) return this.#lose(reason);
      // A server that hangs accepts the connection, and never answers.
      const connectMs = Math.min(connectWithinMs, Math.max(giveUpAt - Date.now(), lastAttemptMs));
      const connected = await this.#connect(AbortSignal.timeout(connectMs)).then(
        () => true,
        () => false,
      );
      if (connected) {
        const request = this.#cell.openRequest;
        if (request !== null) this.#lostRequest.askAbout(request);
        return;
      }
      if (Date.now() > giveUpAt) {
        return this.#lose(
          `The connection to the gateway at ${shownUrl(address)} was lost; reconnecting failed for ${timeoutMs / 1000} s.`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  #lose(reason: string): void {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    this.#listener?.onLost(reason);
  }
}

/**
 * The notice that a server sends when it drops a cell's output because there is too much of it; null for
 * every other message. It is sent in the name of our session, which the kernel never uses.
 */
function rateLimitNotice({ header, content }: JupyterMessage, session: string): string | null {
  if (header.msg_type !== "stream" || header.session !== session || typeof content.text !== "string") return null;
  const kind = /^IOPub (data|message) rate exceeded/.exec(content.text)?.[1];
  if (kind === undefined) return null;
  const option = kind === "data" ? "iopub_data_rate_limit" : "iopub_msg_rate_limit";
  const limit = new RegExp(`${option}=(\\S+ \\(\\S+\\))`).exec(content.text)?.[1];
  const which = limit === undefined ? option : `${option} of ${limit}`;
  return `the server drops output beyond its ${which}; print less at once, or have the limit raised`;
}
