import type { JupyterMessage } from "./message.ts";

/** A way to one kernel, whatever the transport: what ZeroMQ and the gateway's WebSocket have in common. */
export interface JupyterChannel {
  send(message: JupyterMessage): void;
  /** Has one listener, which is told every message of the kernel, in the order of its channel. */
  listen(listener: ChannelListener): void;
  /** Back-pressure: nothing is read while held, so that a kernel that prints faster than we take has to wait. */
  hold(held: boolean): void;
  /** How much has come, also of a message that is not complete yet: a large one takes seconds. */
  readonly bytesRead?: number;
  /** The kernel has ended: settles when all that it had sent has been told. Where nothing can be under way, there is none. */
  drain?(): Promise<void>;
  close(): Promise<void>;
}

export interface ChannelListener {
  onMessage(message: JupyterMessage): void;
  /** The connection is lost for good. */
  onLost(reason: string): void;
  /** Output may be missing: a reconnect, a rate limit. */
  onGap(reason: string): void;
}
