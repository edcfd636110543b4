import type { IncomingMessage } from "node:http";
import { GranaryError } from "../support/granary-error.ts";

const limitMegabytes = 64;

/** The text of a request, up to a limit; larger data goes through a file. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    // Read it to its end all the same, so that the sender can read the answer.
    if (bytes <= limitMegabytes * 1_000_000) chunks.push(chunk as Buffer);
    else chunks.length = 0;
  }
  if (bytes > limitMegabytes * 1_000_000) {
    throw new GranaryError(
      "too-large",
      `The arguments have ${Math.round(bytes / 1e6)} MB; at most ${limitMegabytes} MB can be sent. Write a file, and send its path.`,
    );
  }
  return Buffer.concat(chunks).toString("utf8");
}
