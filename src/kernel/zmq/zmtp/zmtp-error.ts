/** The peer does not speak ZeroMQ as it should. Connecting again would not help. */
export class ZmtpError extends Error {
  override readonly name = "ZmtpError";
}
