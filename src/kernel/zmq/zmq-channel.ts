import { endsWithin } from "../../support/process/process-group.ts";
import { type Known, LostRequest } from "../jupyter/cell/lost-request.ts";
import type { ChannelListener, JupyterChannel } from "../jupyter/messages/channel.ts";
import type { ChannelName, JupyterMessage } from "../jupyter/messages/message.ts";
import { type Connection, endpointOf } from "./connection-file.ts";
import { decodeMultipart, encodeMultipart } from "./multipart.ts";
import { Signature } from "./signature.ts";
import { ZmtpSocket } from "./zmtp/socket.ts";

const channels: readonly ChannelName[] = ["shell", "control", "stdin", "iopub"];
const timeoutMs = 5000;
const lastWordsMs = 1000;

/** Jupyter's messages over ZeroMQ. */
export class ZmqChannel implements JupyterChannel {
  readonly #sockets: Readonly<Record<ChannelName, ZmtpSocket>>;
  readonly #signature: Signature;
  readonly #lostRequest: LostRequest;
  /** The cell that the kernel has not replied to yet. */
  #request: { readonly message: JupyterMessage; hasBegun: boolean } | null = null;
  #listener: ChannelListener | undefined;
  #gone: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isHeld = false;
  #dropped = 0;

  /** `identity` tells us from the kernel's other clients, and is the session of our messages. */
  constructor(connection: Connection, identity: string) {
    this.#signature = new Signature(connection.key, connection.signatureScheme);
    this.#lostRequest = new LostRequest(identity, {
      transmit: (message) => this.#transmit(message),
      deliver: (message) => this.#deliver(message),
      whatIsKnownOf: (request) => this.#whatIsKnownOf(request),
    });
    const open = (channel: ChannelName): ZmtpSocket =>
      new ZmtpSocket({
        type: channel === "iopub" ? "SUB" : "DEALER",
        endpoint: endpointOf(connection, channel),
        // The same for all: a kernel asks on stdin the client that sent the request on shell.
        identity,
        onMessage: (frames) => this.#take(channel, frames),
        onUp: (again) => this.#up(channel, again),
        onDown: () => this.#down(),
        onShortage: (error) => this.#lose(`The ${channel} socket of the kernel could not be opened: ${error.message}.`),
        onFailed: (error) => this.#lose(`The ${channel} socket of the kernel is invalid: ${error.message}.`),
      });
    this.#sockets = { shell: open("shell"), control: open("control"), stdin: open("stdin"), iopub: open("iopub") };
  }

  /** The number of malformed messages and wrong signatures. */
  get dropped(): number {
    return this.#dropped;
  }

  get bytesRead(): number {
    return this.#sockets.iopub.bytesRead;
  }

  send(message: JupyterMessage): void {
    if (message.header.msg_type === "execute_request") this.#request = { message, hasBegun: false };
    this.#transmit(message);
  }

  listen(listener: ChannelListener): void {
    this.#listener = listener;
  }

  hold(held: boolean): void {
    if (held === this.#isHeld) return;
    this.#isHeld = held;
    this.#sockets.iopub.hold(held);
    // ZeroMQ never blocks a publisher.
    if (!held) this.#listener?.onGap("it was read too slowly, and a kernel keeps only so much for a slow reader");
  }

  async drain(): Promise<void> {
    clearTimeout(this.#gone);
    // A child that inherited the sockets may keep them open for ever.
    await endsWithin(Promise.all(channels.map((channel) => this.#sockets[channel].drain())), lastWordsMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#gone);
    for (const channel of channels) this.#sockets[channel].close();
  }

  #transmit(message: JupyterMessage): void {
    this.#sockets[message.channel].send(encodeMultipart(message, this.#signature));
  }

  #take(channel: ChannelName, frames: readonly Buffer[]): void {
    if (this.#isClosed) return;
    const message = decodeMultipart(channel, frames, this.#signature);
    if (message === null) this.#dropped += 1;
    else if (!this.#lostRequest.takes(message)) this.#deliver(message);
  }

  #deliver(message: JupyterMessage): void {
    if (this.#request !== null && message.parentHeader.msg_id === this.#request.message.header.msg_id) {
      this.#request.hasBegun = true;
      if (message.header.msg_type === "execute_reply") this.#request = null;
    }
    this.#listener?.onMessage(message);
  }

  #whatIsKnownOf(request: JupyterMessage): Known {
    if (this.#request?.message !== request) return "how it ended";
    return this.#request.hasBegun ? "that it began" : "nothing";
  }

  #up(channel: ChannelName, again: boolean): void {
    if (channels.every((name) => this.#sockets?.[name].isUp)) clearTimeout(this.#gone);
    if (again && channel === "iopub") this.#listener?.onGap("the connection to the kernel was interrupted");
    // A kernel keeps no replies for a disconnected client.
    if (again && channel === "shell" && this.#request !== null) this.#lostRequest.askAbout(this.#request.message);
  }

  #down(): void {
    clearTimeout(this.#gone);
    this.#gone = setTimeout(
      () => this.#lose("The kernel has closed its sockets, and does not open them again."),
      timeoutMs,
    );
  }

  #lose(reason: string): void {
    if (this.#isClosed) return;
    void this.close();
    this.#listener?.onLost(reason);
  }
}
