import type { JsonObject } from "../../support/json/value.ts";
import { glanceAt, largestParsed } from "../jupyter/messages/large-message.ts";
import type { ChannelName, JupyterHeader, JupyterMessage } from "../jupyter/messages/message.ts";
import type { Signature } from "./signature.ts";

const delimiter = Buffer.from("<IDS|MSG>");
const jsonParts = 4;

/** A message as ZeroMQ carries it: the delimiter, a signature, four JSON parts, buffers. */
export function encodeMultipart(message: JupyterMessage, signature: Signature): Uint8Array[] {
  const { header, parentHeader, metadata, content, buffers } = message;
  const parts = [header, parentHeader, metadata, content].map((part) => Buffer.from(JSON.stringify(part)));
  return [delimiter, signature.of(parts), ...parts, ...buffers];
}

/** The message; null when it is malformed, or has a wrong signature. */
export function decodeMultipart(
  channel: ChannelName,
  frames: readonly Buffer[],
  signature: Signature,
): JupyterMessage | null {
  // Before it there are identities, and on iopub a topic.
  const start = frames.findIndex((frame) => frame.equals(delimiter)) + 1;
  const given = frames[start];
  const parts = frames.slice(start + 1, start + 1 + jsonParts);
  if (start === 0 || given === undefined || parts.length < jsonParts || !signature.isOf(given, parts)) return null;
  const unread = (parts[3] as Buffer).length > largestParsed ? parts[3] : undefined;
  const [header, parentHeader, metadata] = parts.slice(0, 3).map(parseObject);
  const content = unread ? glanceAt(unread) : parseObject(parts[3] as Buffer);
  if (!header || !parentHeader || !metadata || !content || typeof header.msg_type !== "string") return null;
  return {
    channel,
    header: header as unknown as JupyterHeader,
    parentHeader: parentHeader as Partial<JupyterHeader>,
    metadata,
    content,
    unread,
    buffers: frames.slice(start + 1 + jsonParts),
  };
}

function parseObject(part: Buffer): JsonObject | null {
  try {
    const value: unknown = JSON.parse(part.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}
