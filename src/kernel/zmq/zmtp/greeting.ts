import { GranaryError } from "../../../support/granary-error.ts";

export const greetingLength = 64;

const mechanismAt = 12;
const mechanismLength = 20;
const ours = "NULL";

/** The greeting of ZMTP 3.0, without security: every client that may open the socket is accepted. */
export function zmtpGreeting(): Buffer {
  const bytes = Buffer.alloc(greetingLength);
  bytes[0] = 0xff;
  bytes[9] = 0x7f;
  bytes[10] = 3;
  bytes.write(ours, mechanismAt, "latin1");
  return bytes;
}

/** Checks the received part of the peer's greeting, so that a stranger is recognised by its first byte. */
export function checkGreeting(start: Buffer): void {
  if (start.length > 0 && start[0] !== 0xff) throw new GranaryError("protocol", "it does not greet as ZeroMQ does");
  if (start.length > 9 && ((start[9] as number) & 1) === 0)
    throw new GranaryError("protocol", "it does not greet as ZeroMQ does");
  if (start.length > 10 && (start[10] as number) < 3) {
    throw new GranaryError("protocol", `it speaks version ${start[10]} of ZMTP, and 3 is needed`);
  }
  if (start.length < mechanismAt + mechanismLength) return;
  const mechanism = start.toString("latin1", mechanismAt, mechanismAt + mechanismLength).replace(/\0+$/, "");
  if (mechanism !== ours)
    throw new GranaryError("protocol", `it asks for the security mechanism ${JSON.stringify(mechanism)}`);
}
