import type { JsonObject } from "../../../support/json/value.ts";
import { glanceAt, largestParsed } from "../../jupyter/messages/large-message.ts";
import type { ChannelName, JupyterHeader, JupyterMessage } from "../../jupyter/messages/message.ts";
import { joinParts, splitParts, type TableOfParts } from "./table-of-parts.ts";

/** One of the two ways to put a Jupyter message into a WebSocket message. */
export interface WebSocketCodec {
  encode(message: JupyterMessage): string | Uint8Array;
  /** Throws when the data is not a message. */
  decode(data: string | Uint8Array): JupyterMessage;
}

/** The name of the newer format in the negotiation; the older has no name. */
export const v1Protocol = "v1.kernel.websocket.jupyter.org";

const fromServer = new TextDecoder("utf-8", { fatal: true });

/** Every part of a message stands alone, so that parts can be passed on without parsing. */
export const v1Codec: WebSocketCodec = {
  encode({ channel, header, parentHeader, metadata, content, buffers }) {
    const jsonParts = [header, parentHeader, metadata, content].map((part) => Buffer.from(JSON.stringify(part)));
    return joinParts(v1Table, [Buffer.from(channel), ...jsonParts, ...buffers]);
  },
  decode(data) {
    if (typeof data === "string") throw new Error("a text where binary data was agreed upon");
    const [channel, header, parentHeader, metadata, content, ...buffers] = splitParts(v1Table, data);
    if (content === undefined) throw new Error("a message of fewer than five parts");
    const unread = content.byteLength > largestParsed ? content : undefined;
    const json = [header, parentHeader, metadata].map((part) => JSON.parse(fromServer.decode(part)));
    const read = unread ? glanceAt(unread) : JSON.parse(fromServer.decode(content));
    return { ...toMessage(fromServer.decode(channel), json[0], json[1], json[2], read, buffers), unread };
  },
};

/** JSON text; only where there are buffers, binary data that begins with that JSON. */
export const legacyCodec: WebSocketCodec = {
  encode({ channel, header, parentHeader, metadata, content, buffers }) {
    const { msg_id, msg_type } = header;
    // Clients of Jupyter's own library read id and type outside of the header.
    const text = JSON.stringify({
      channel,
      header,
      msg_id,
      msg_type,
      parent_header: parentHeader,
      metadata,
      content,
      buffers: [],
    });
    return buffers.length === 0 ? text : joinParts(legacyTable, [Buffer.from(text), ...buffers]);
  },
  decode(data) {
    const [first, ...buffers] = typeof data === "string" ? [data] : splitParts(legacyTable, data);
    if (first === undefined) throw new Error("a message of no parts");
    const json = JSON.parse(typeof first === "string" ? first : fromServer.decode(first));
    // As servers do: Jupyter's own client for gateways names no channel.
    const channel = json?.channel ?? "shell";
    return toMessage(channel, json?.header, json?.parent_header, json?.metadata, json?.content, buffers as never);
  },
};

/** 64-bit little-endian: their number, then where each part begins, and where the last one ends. */
const v1Table: TableOfParts = {
  entryBytes: 8,
  read: (view, at) => Number(view.getBigUint64(at, true)),
  write: (view, at, value) => view.setBigUint64(at, BigInt(value), true),
  namesTheEnd: true,
};

/** 32-bit big-endian: their number, then where each part begins. */
const legacyTable: TableOfParts = {
  entryBytes: 4,
  read: (view, at) => view.getUint32(at, false),
  write: (view, at, value) => view.setUint32(at, value, false),
  namesTheEnd: false,
};

const channels: readonly unknown[] = ["shell", "control", "stdin", "iopub"] satisfies ChannelName[];

function toMessage(
  channel: unknown,
  header: unknown,
  parentHeader: unknown,
  metadata: unknown,
  content: unknown,
  buffers: readonly Uint8Array[],
): JupyterMessage {
  if (!channels.includes(channel)) throw new Error(`a message on the channel ${JSON.stringify(channel)}`);
  if (!isObject(header) || typeof header.msg_type !== "string" || typeof header.msg_id !== "string") {
    throw new Error("a message without a header");
  }
  return {
    channel: channel as ChannelName,
    header: header as unknown as JupyterHeader,
    // Servers send null as the parent of a message without a request.
    parentHeader: isObject(parentHeader) ? (parentHeader as Partial<JupyterHeader>) : {},
    metadata: isObject(metadata) ? metadata : {},
    content: isObject(content) ? content : {},
    buffers,
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
