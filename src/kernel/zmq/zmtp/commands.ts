import { GranaryError } from "../../../support/granary-error.ts";

export type SocketType = "DEALER" | "SUB" | "REQ";

/** The types of peers that a socket of ours may have. */
const peersOf: Readonly<Record<SocketType, readonly string[]>> = {
  DEALER: ["ROUTER", "DEALER", "REP"],
  SUB: ["PUB", "XPUB"],
  REQ: ["ROUTER", "REP"],
};

export interface ZmtpCommand {
  readonly name: string;
  readonly data: Buffer;
}

export function decodeCommand(body: Buffer): ZmtpCommand {
  const length = body[0] ?? 0;
  if (length === 0 || body.length < 1 + length) throw new GranaryError("protocol", "a command has no name");
  return { name: body.toString("latin1", 1, 1 + length), data: body.subarray(1 + length) };
}

function encodeCommand(name: string, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name, "latin1"), data]);
}

export function readyCommand(type: SocketType, identity: string): Buffer {
  const properties = [property("Socket-Type", type)];
  if (type !== "SUB") properties.push(property("Identity", identity));
  return encodeCommand("READY", Buffer.concat(properties));
}

/** Checks the peer's answer to READY. */
export function checkReady({ name, data }: ZmtpCommand, type: SocketType): void {
  if (name === "ERROR") throw new GranaryError("protocol", `it refuses: ${data.toString("utf8", 1)}`);
  if (name !== "READY") throw new GranaryError("protocol", `it says ${JSON.stringify(name)} where READY is due`);
  const theirs = decodeProperties(data).get("socket-type");
  if (theirs === undefined || !peersOf[type].includes(theirs)) {
    throw new GranaryError("protocol", `a socket of type ${theirs ?? "unknown"} is there, and ours is ${type}`);
  }
}

/** The answer to a PING: its context, without the time to live. */
export function pong({ data }: ZmtpCommand): Buffer {
  return encodeCommand("PONG", data.subarray(2));
}

function property(name: string, value: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(value));
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name, "latin1"), length, Buffer.from(value)]);
}

/** Names are case-insensitive. */
function decodeProperties(data: Buffer): Map<string, string> {
  const properties = new Map<string, string>();
  let at = 0;
  while (at < data.length) {
    const nameEnd = at + 1 + (data[at] as number);
    if (nameEnd + 4 > data.length) throw new GranaryError("protocol", "READY is cut off");
    const valueEnd = nameEnd + 4 + data.readUInt32BE(nameEnd);
    if (valueEnd > data.length) throw new GranaryError("protocol", "READY is cut off");
    const name = data.toString("latin1", at + 1, nameEnd).toLowerCase();
    properties.set(name, data.toString("utf8", nameEnd + 4, valueEnd));
    at = valueEnd;
  }
  return properties;
}
