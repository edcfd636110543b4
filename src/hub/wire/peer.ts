import type { Socket } from "node:net";
import { type Deferred, deferred } from "../../support/deferred.ts";
import type { GranaryErrorCode } from "../../support/error-codes.ts";
import { GranaryError, isGranaryError } from "../../support/granary-error.ts";
import { frameToSend, type HubFrame, HubFrameReader } from "./frames.ts";

/** A request from the other side. */
export interface IncomingCall {
  readonly body: Buffer | null;
  /** Aborts when the caller takes the request back. */
  readonly cancelled: AbortSignal;
  /** Aborts when the connection has ended: an answer would not arrive. */
  readonly gone: AbortSignal;
  /** Sends an event of this request. A promise asks to wait: the reader is behind. */
  tell(event: object, body?: string | Uint8Array): void | Promise<void>;
}

type Handler = (params: never, call: IncomingCall) => Promise<unknown>;
export type Handlers = Readonly<Record<string, Handler>>;

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly body?: string | Uint8Array | undefined;
  /** Whether it leaves with the next request, or with `flush`. */
  readonly leavesLater?: boolean | undefined;
  /** A promise stops the reading until it settles. */
  readonly onEvent?:
    | ((event: Readonly<Record<string, unknown>>, body: Buffer | null) => void | Promise<void>)
    | undefined;
}

/** Frames wait for others up to this many bytes. */
const mostHeld = 16_000;

interface Pending {
  readonly answer: Deferred<unknown>;
  readonly onEvent: RequestOptions["onEvent"];
}

/** After a cancelled request, the other side has this long for any answer. */
const graceMs = 3000;

/** One side of a connection: both sides send requests, and each request may have events before its answer. */
export class Peer {
  /** Settles when the connection has ended. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #handlers: () => Handlers;
  readonly #onNews: (name: string, news: unknown) => void;
  readonly #reader = new HubFrameReader();
  readonly #pending = new Map<number, Pending>();
  readonly #incoming = new Map<number, AbortController>();
  #isClosed = false;
  /** Made with the first request from the other side: a client that gets none starts faster. */
  #gone: AbortController | null = null;
  readonly #closed = deferred<void>();
  #lastId = 0;
  #isReading = false;
  #drained: Deferred<void> | null = null;
  /** Short frames that leave together, as text of bytes. */
  #held = "";
  #leavesSoon = false;

  constructor(socket: Socket, handlers: () => Handlers, onNews: (name: string, news: unknown) => void = () => {}) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#onNews = onNews;
    this.closed = this.#closed.promise;
    // After the first request, which the other side then has sooner. Nothing is read or reported before.
    process.nextTick(() => this.#listen());
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on("data", (chunk: Buffer) => {
      this.#reader.push(chunk);
      if (!this.#isReading) void this.#read();
    });
    socket.on("drain", () => this.#wake());
    socket.on("error", () => {});
    socket.on("close", () => this.#end());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  async request<Answer>(method: string, params: object = {}, options: RequestOptions = {}): Promise<Answer> {
    const { signal, body, onEvent, leavesLater = false } = options;
    signal?.throwIfAborted();
    if (this.isClosed) throw hubGone();
    const id = ++this.#lastId;
    const answer = deferred<unknown>();
    this.#pending.set(id, { answer, onEvent });
    const cancel = (): void => {
      const why: unknown = signal?.reason;
      void this.#send({ cancel: id, ...(typeof why === "string" ? { why } : {}) });
      this.flush();
      this.#requireLife(answer);
    };
    void this.#send({ ask: id, method, params }, body);
    if (!leavesLater) this.flush();
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return (await answer.promise) as Answer;
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#pending.delete(id);
    }
  }

  /** Ending a cell may take a while. A side that answers nothing at all, because it was stopped or hangs, ends nothing. */
  #requireLife({ promise, reject }: Deferred<unknown>): void {
    const timer = setTimeout(() => reject(silent()), graceMs);
    const isAlive = (): void => clearTimeout(timer);
    promise.then(isAlive, isAlive);
    // Also the answer that there is no such request is one.
    this.request("alive").then(isAlive, isAlive);
  }

  /** A message that needs no answer. */
  say(name: string, news: object): void {
    void this.#send({ say: name, news });
    this.flush();
  }

  /** Whether the other side reads as fast as this side writes. */
  get isBehind(): boolean {
    return this.#socket.writableNeedDrain;
  }

  /** Sends what is waiting, and ends the connection. */
  close(): void {
    this.flush();
    this.#socket.end();
  }

  destroy(): void {
    this.flush();
    this.#socket.destroy();
  }

  /** The connection no longer keeps the process running. */
  unref(): void {
    this.#socket.unref();
  }

  /** Sends the frames that wait. */
  flush(): void {
    if (this.#held === "" || this.#isClosed) return;
    this.#socket.write(this.#held, "latin1");
    this.#held = "";
  }

  /** A short frame waits for `flush`. */
  #send(header: object, body?: string | Uint8Array): void | Promise<void> {
    if (this.isClosed || !this.#socket.writable) return;
    const frame = frameToSend(header, body);
    const isText = typeof frame === "string";
    if (isText) this.#held += frame;
    if (!isText || this.#held.length > mostHeld) this.flush();
    if (!isText) this.#socket.write(frame);
    if (!this.#socket.writableNeedDrain) return;
    this.#drained ??= deferred();
    return this.#drained.promise;
  }

  /** A cell ends with several frames in a row, and each write would wake the other side: they leave together. */
  #sendSoon(header: object, body?: string | Uint8Array): void | Promise<void> {
    if (!this.#leavesSoon) {
      this.#leavesSoon = true;
      // A tick after all promises that are settled by now.
      queueMicrotask(() => process.nextTick(() => this.#leave()));
    }
    return this.#send(header, body);
  }

  #leave(): void {
    this.#leavesSoon = false;
    this.flush();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      for (let frame = this.#reader.next(); frame !== null; frame = this.#reader.next()) {
        const taken = this.#take(frame);
        if (taken === undefined) continue;
        this.#socket.pause();
        await taken;
        this.#socket.resume();
      }
    } catch {
      this.#socket.destroy();
    } finally {
      this.#isReading = false;
    }
  }

  #take({ header, body }: HubFrame): void | Promise<void> {
    if (typeof header.ask === "number") return void this.#answer(header.ask, header, body);
    if (typeof header.cancel === "number") return this.#incoming.get(header.cancel)?.abort(header.why);
    if (typeof header.say === "string") return this.#onNews(header.say, header.news);
    if (typeof header.of === "number") {
      return this.#pending.get(header.of)?.onEvent?.(header.event as Readonly<Record<string, unknown>>, body);
    }
    if (typeof header.to !== "number") return;
    const pending = this.#pending.get(header.to);
    if (header.error === undefined) pending?.answer.resolve(header.answer);
    else pending?.answer.reject(errorOf(header.error as SentError));
  }

  async #answer(id: number, { method, params }: HubFrame["header"], body: Buffer | null): Promise<void> {
    const stop = new AbortController();
    this.#incoming.set(id, stop);
    this.#gone ??= new AbortController();
    if (this.#isClosed) this.#gone.abort();
    const call: IncomingCall = {
      body,
      cancelled: stop.signal,
      gone: this.#gone.signal,
      tell: (event, eventBody) => this.#sendSoon({ of: id, event }, eventBody),
    };
    try {
      const handlers = this.#handlers();
      const handler = typeof method === "string" && Object.hasOwn(handlers, method) ? handlers[method] : undefined;
      if (handler === undefined) throw new GranaryError("hub-protocol", `The hub has no ${String(method)}.`);
      const answer = await handler(params as never, call);
      void this.#sendSoon({ to: id, answer: answer ?? null });
    } catch (error) {
      void this.#sendSoon({ to: id, error: sentError(error) });
    } finally {
      this.#incoming.delete(id);
    }
  }

  #wake(): void {
    this.#drained?.resolve();
    this.#drained = null;
  }

  #end(): void {
    this.#isClosed = true;
    this.#gone?.abort();
    this.#wake();
    for (const { answer } of this.#pending.values()) {
      // An abandoned request must not end the process.
      answer.promise.catch(() => {});
      answer.reject(hubGone());
    }
    this.#closed.resolve();
  }
}

function silent(): GranaryError {
  return new GranaryError(
    "hub-failed",
    "The hub does not answer, so the cell may still be running. End the hub, and its sessions, with: granary hub stop --force",
  );
}

interface SentError {
  readonly code: string;
  readonly message: string;
  readonly details?: object | undefined;
}

function sentError(error: unknown): SentError {
  if (isGranaryError(error)) return { code: error.code, message: error.message, details: error.details };
  const message = error instanceof Error ? error.message : String(error);
  return { code: "hub-failed", message: `The hub failed: ${message}. Its log: granary hub log` };
}

function errorOf({ code, message, details }: SentError): GranaryError {
  return new GranaryError(code as GranaryErrorCode, message, { details: details ?? {} } as never);
}

export function hubGone(): GranaryError {
  return new GranaryError(
    "hub-gone",
    "The hub has ended, and its sessions with it. The next call starts a fresh one; see: granary hub log",
  );
}
