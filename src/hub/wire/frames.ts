import { GranaryError } from "../../support/granary-error.ts";

/**
 * One frame: two lengths as 32-bit numbers, a header in JSON, and a body of bytes, which large texts travel in, because JSON
 * would make them slow.
 */
export interface HubFrame {
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: Buffer | null;
}

const lengths = 8;
/** No peer of ours sends more: the client of another program, or a broken stream. */
const largestPart = 1_000_000_000;

export function encodeHubFrame(header: object, body?: string | Uint8Array | undefined): Buffer {
  return bytesOf(JSON.stringify(header), body);
}

/**
 * A frame to send: where it is short and plain ASCII, a string of its bytes (`latin1`), because Node sends one with less work than a
 * buffer, and because such frames can be joined.
 */
export function frameToSend(header: object, body?: string | Uint8Array | undefined): string | Buffer {
  const json = JSON.stringify(header);
  const text = body ?? "";
  const isPlain =
    typeof text === "string" && json.length + text.length <= longestText && isAscii(json) && isAscii(text);
  return isPlain ? lengthOf(json) + lengthOf(text) + json + text : bytesOf(json, body);
}

const longestText = 16_000;

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function lengthOf({ length }: string): string {
  return String.fromCharCode(length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255);
}

function bytesOf(json: string, body: string | Uint8Array | undefined): Buffer {
  const headerBytes = Buffer.byteLength(json);
  const bodyBytes = body === undefined ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.length;
  const frame = Buffer.allocUnsafe(lengths + headerBytes + bodyBytes);
  frame.writeUInt32BE(headerBytes, 0);
  frame.writeUInt32BE(bodyBytes, 4);
  frame.write(json, lengths);
  if (typeof body === "string") frame.write(body, lengths + headerBytes);
  else if (body !== undefined) frame.set(body, lengths + headerBytes);
  return frame;
}

/** Makes frames of the chunks that a socket delivers. */
export class HubFrameReader {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #wanted = lengths;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** The next whole frame; null when more bytes are needed. */
  next(): HubFrame | null {
    if (this.#bytes < this.#wanted) return null;
    const all = this.#joined();
    const headerBytes = all.readUInt32BE(0);
    const bodyBytes = all.readUInt32BE(4);
    if (headerBytes > largestPart || bodyBytes > largestPart) throw new GranaryError("hub-protocol", notOurs);
    const end = lengths + headerBytes + bodyBytes;
    this.#wanted = end;
    if (all.length < end) return null;
    this.#wanted = lengths;
    this.#chunks = all.length === end ? [] : [all.subarray(end)];
    this.#bytes = all.length - end;
    const header = headerOf(all.toString("utf8", lengths, lengths + headerBytes));
    return { header, body: bodyBytes === 0 ? null : all.subarray(lengths + headerBytes, end) };
  }

  /** Once per frame, not once per chunk: a large frame has many chunks. */
  #joined(): Buffer {
    const [first] = this.#chunks;
    if (this.#chunks.length === 1 && first !== undefined) return first;
    const all = Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks = [all];
    return all;
  }
}

const notOurs = "The other side of the hub's socket does not speak the hub's protocol. See: granary hub status";

function headerOf(json: string): HubFrame["header"] {
  try {
    const header: unknown = JSON.parse(json);
    if (typeof header === "object" && header !== null) return header as HubFrame["header"];
  } catch {}
  throw new GranaryError("hub-protocol", notOurs);
}
