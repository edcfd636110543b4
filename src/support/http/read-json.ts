import type { IncomingMessage } from "node:http";
import { isTooDeepText } from "../json/deep-json.ts";
import type { JsonObject } from "../json/value.ts";

/** The body of a request as an object, an empty one for none; a sentence about a body that cannot be read. */
export async function readJson(request: IncomingMessage, longestBody: number): Promise<JsonObject | string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > longestBody) return `The body is longer than ${longestBody} bytes.`;
    chunks.push(chunk as Buffer);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (text.trim() === "") return {};
  if (isTooDeepText(text)) return "The body is nested too deeply.";
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  } catch {
    return "The body is not JSON.";
  }
}
