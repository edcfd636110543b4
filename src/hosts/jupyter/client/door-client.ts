import type WebSocket from "ws";
import type { WebSocketCodec } from "../../../kernel/gateway/websocket/websocket-codec.ts";
import type { JupyterMessage } from "../../../kernel/jupyter/messages/message.ts";
import { type Deferred, deferred } from "../../../support/deferred.ts";
import { InputQuestions } from "./input-questions.ts";

/** A cell waits for its own client above this many bytes that the client has not read. */
const congestedBytes = 4 * 1024 * 1024;
/** Other clients that are behind by more than this lose their connection, and reconnect. */
const hopelessBytes = 64 * 1024 * 1024;
/** Kept for a client that lost its connection. */
const keptBytes = 16 * 1024 * 1024;
const keptForMs = 5 * 60_000;
const pingEveryMs = 30_000;

/** One side of a WebSocket at the channels of a kernel. */
export interface DoorSocket {
  readonly socket: WebSocket;
  readonly codec: WebSocketCodec;
}

export interface ClientLife {
  /** Whether it can be recognised when it reconnects. */
  readonly returns: boolean;
  /** It has not come back. */
  onGone(): void;
}

/** A client of a kernel. It outlives its connection for a while, so that output is there when it reconnects. */
export class DoorClient {
  readonly session: string;
  readonly questions = new InputQuestions();
  readonly #life: ClientLife;
  #door: DoorSocket | null = null;
  #kept: JupyterMessage[] = [];
  #keptBytes = 0;
  #relief: Deferred<void> | null = null;
  #forgetting: NodeJS.Timeout | undefined;

  constructor(session: string, life: ClientLife) {
    this.session = session;
    this.#life = life;
  }

  get isConnected(): boolean {
    return this.#door !== null;
  }

  /** A connection takes the place of the one before, and gets what was missed since. */
  connect(door: DoorSocket, onMessage: (message: JupyterMessage) => void): void {
    clearTimeout(this.#forgetting);
    this.#door?.socket.terminate();
    this.#door = door;
    const { socket, codec } = door;
    socket.on("message", (data: Buffer, isBinary: boolean) => {
      const message = decoded(codec, isBinary ? data : data.toString());
      if (message === null) socket.close(1007, "This is no message of Jupyter's.");
      else onMessage(message);
    });
    socket.on("error", () => {}); // `close` follows
    socket.on("close", () => this.#lost(door));
    keepAlive(socket);
    const missed = this.#kept;
    this.#kept = [];
    this.#keptBytes = 0;
    for (const message of missed) this.send(message);
  }

  send(message: JupyterMessage): void {
    const door = this.#door;
    if (door === null) return this.#keep(message);
    door.socket.send(door.codec.encode(message), () => this.#sent(door));
    if (door.socket.bufferedAmount > hopelessBytes) door.socket.terminate();
  }

  /** Settles when the client has read enough to get more; undefined when it has already. */
  get relief(): Promise<void> | undefined {
    if ((this.#door?.socket.bufferedAmount ?? 0) < congestedBytes) return undefined;
    this.#relief ??= deferred();
    return this.#relief.promise;
  }

  close(): void {
    clearTimeout(this.#forgetting);
    this.#door?.socket.close(1001, "The kernel was shut down.");
    this.#door = null;
    this.#relief?.resolve();
  }

  #sent({ socket }: DoorSocket): void {
    if (socket.bufferedAmount < congestedBytes / 2) this.#unblock();
  }

  #unblock(): void {
    this.#relief?.resolve();
    this.#relief = null;
  }

  #lost(door: DoorSocket): void {
    if (this.#door !== door) return;
    this.#door = null;
    this.#unblock();
    if (!this.#life.returns) return this.#life.onGone();
    this.#forgetting = setTimeout(() => this.#life.onGone(), keptForMs).unref();
  }

  #keep(message: JupyterMessage): void {
    this.#kept.push(message);
    this.#keptBytes += sizeOf(message);
    while (this.#keptBytes > keptBytes && this.#kept.length > 1) {
      this.#keptBytes -= sizeOf(this.#kept.shift() as JupyterMessage);
    }
  }
}

function decoded(codec: WebSocketCodec, data: string | Buffer): JupyterMessage | null {
  try {
    return codec.decode(data);
  } catch {
    return null;
  }
}

/** About: text and buffers are what takes memory. */
function sizeOf({ content, buffers }: JupyterMessage): number {
  const text = typeof content.text === "string" ? content.text.length : JSON.stringify(content).length;
  return buffers.reduce((sum, { length }) => sum + length, 500 + text);
}

/** A connection can be dead without notice: a laptop slept. */
function keepAlive(socket: WebSocket): void {
  let answered = true;
  socket.on("pong", () => {
    answered = true;
  });
  const timer = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, pingEveryMs).unref();
  socket.on("close", () => clearInterval(timer));
}
