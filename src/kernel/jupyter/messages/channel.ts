import type { JupyterMessage } from "./message.ts";

/** A channel to one kernel, over any transport: the common part of ZeroMQ and the gateway's WebSocket. */
export interface JupyterChannel {
  send(message: JupyterMessage): void;
  /** Has one listener, which gets every message of the kernel, in the order of its channel. */
  listen(listener: ChannelListener): void;
  /** Back-pressure: nothing is read while held, so that a kernel that prints too fast has to wait. */
  hold(held: boolean): void;
  /** Bytes received, also of an incomplete message: a large one takes seconds. */
  readonly bytesRead?: number;
  /** The kernel has ended: settles when all its messages are delivered. Missing where none can be under way. */
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
