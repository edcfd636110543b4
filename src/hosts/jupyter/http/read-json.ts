import type { IncomingMessage } from "node:http";
import { objectOf } from "../../../kernel/jupyter/messages/to-event.ts";
import type { JsonObject } from "../../../support/json/value.ts";

const longestBody = 1_000_000;

/** The body of a request as an object, an empty one for none; a sentence about a body that cannot be read. */
export async function readJson(request: IncomingMessage): Promise<JsonObject | string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > longestBody) return `The body is longer than ${longestBody} bytes.`;
    chunks.push(chunk as Buffer);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (text.trim() === "") return {};
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return "The body is not JSON.";
  }
}
