import type { Socket } from "node:net";
import { GranaryError, isGranaryError } from "../../../support/granary-error.ts";
import { checkReady, decodeCommand, pong, readyCommand, type SocketType } from "./commands.ts";
import { FrameReader, frameHeader, type ZmtpFrame } from "./frames.ts";
import { checkGreeting, greetingLength, zmtpGreeting } from "./greeting.ts";

interface ConnectionOptions {
  readonly type: SocketType;
  readonly identity: string;
  /** The largest message that is read, all of its frames together. */
  readonly messageLimit: number;
  /** The handshake is done: messages may be sent. */
  onOpen(): void;
  onMessage(frames: readonly Buffer[]): void;
  /** Called once, for either side's end. A `GranaryError` when the peer breaks the protocol. */
  onClose(error: Error | undefined): void;
}

/** Even a message of empty frames needs memory. */
const mostFrames = 64 * 1024;

/** One connection to a ZeroMQ peer, from its greeting to its end. */
export class ZmtpConnection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #reader: FrameReader;
  #phase: "greeting" | "handshake" | "open" = "greeting";
  #message: Buffer[] = [];
  #messageBytes = 0;
  #error: Error | undefined;

  /** The socket may still be connecting. */
  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#reader = new FrameReader(options.messageLimit);
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.#takeChunk(chunk));
    socket.on("error", (error) => (this.#error ??= error));
    socket.on("close", () => options.onClose(this.#error));
    socket.write(zmtpGreeting());
  }

  get isOpen(): boolean {
    return this.#phase === "open";
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  send(frames: readonly Uint8Array[]): void {
    this.#socket.cork();
    for (const [index, frame] of frames.entries()) this.#write(frame, { more: index < frames.length - 1 });
    this.#socket.uncork();
  }

  /** While held, nothing is read, and the peer has to wait. */
  hold(held: boolean): void {
    if (held) this.#socket.pause();
    else this.#socket.resume();
  }

  /** Sends everything queued, and ends. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #write(body: Uint8Array, flags: { readonly more?: boolean; readonly isCommand?: boolean }): void {
    this.#socket.write(frameHeader(body.length, flags));
    if (body.length > 0) this.#socket.write(body);
  }

  #takeChunk(chunk: Buffer): void {
    if (this.#error) return;
    this.#reader.push(chunk);
    try {
      if (this.#phase === "greeting" && !this.#takeGreeting()) return;
      for (let frame = this.#reader.next(); frame !== undefined; frame = this.#reader.next()) this.#takeFrame(frame);
    } catch (error) {
      if (!isGranaryError(error, "protocol")) throw error;
      this.#error = error;
      this.#socket.destroy();
    }
  }

  #takeGreeting(): boolean {
    checkGreeting(this.#reader.peek());
    if (this.#reader.length < greetingLength) return false;
    this.#reader.take(greetingLength);
    this.#phase = "handshake";
    this.#write(readyCommand(this.#options.type, this.#options.identity), { isCommand: true });
    return true;
  }

  #takeFrame(frame: ZmtpFrame): void {
    if (frame.isCommand) return this.#takeCommand(frame.body);
    if (this.#phase !== "open") throw new GranaryError("protocol", "it sends a message before it is ready");
    this.#message.push(frame.body);
    this.#messageBytes += frame.body.length;
    const { messageLimit } = this.#options;
    if (this.#messageBytes > messageLimit)
      throw new GranaryError("protocol", `a message has more than ${messageLimit} bytes`);
    if (this.#message.length > mostFrames)
      throw new GranaryError("protocol", `a message has more than ${mostFrames} frames`);
    if (frame.more) return;
    const message = this.#message;
    this.#message = [];
    this.#messageBytes = 0;
    this.#options.onMessage(message);
  }

  #takeCommand(body: Buffer): void {
    const command = decodeCommand(body);
    if (this.#phase === "handshake") {
      checkReady(command, this.#options.type);
      this.#phase = "open";
      if (this.#options.type === "SUB") this.send([subscribeToAll]);
      this.#options.onOpen();
    } else if (command.name === "PING") this.#write(pong(command), { isCommand: true });
    else if (command.name === "ERROR")
      throw new GranaryError("protocol", `it says: ${command.data.toString("utf8", 1)}`);
  }
}

/** In ZMTP 3.0 a subscription is a message: 1, then the prefix of the topic. */
const subscribeToAll = Buffer.from([1]);
