import { randomUUID } from "node:crypto";
import { JsonScanner } from "./scanner.ts";

/** JSON as it is in a notebook; unlike strict JSON it knows NaN and the infinities. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** The value of a span that the scanner has accepted. */
export function parseSpan(bytes: Buffer, start: number, end: number): JsonValue {
  const text = bytes.toString("utf8", start, end);
  try {
    return JSON.parse(text);
  } catch {
    return parseWithNonFinite(bytes, start, end);
  }
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Slow, and rarely needed: only for a value that holds what Python writes and JSON does not know. */
function parseWithNonFinite(bytes: Buffer, start: number, end: number): JsonValue {
  // No string of the file can be mistaken for it.
  const stand = randomUUID();
  const parts: string[] = [];
  let copied = start;
  for (const token of nonFiniteTokens(bytes, start)) {
    parts.push(bytes.toString("utf8", copied, token.start), `"${stand}${token.text}"`);
    copied = token.start + token.text.length;
  }
  parts.push(bytes.toString("utf8", copied, end));
  return JSON.parse(parts.join(""), (_key, value) =>
    typeof value === "string" && value.startsWith(stand) ? Number(value.slice(stand.length)) : value,
  );
}

function nonFiniteTokens(bytes: Buffer, start: number): { start: number; text: string }[] {
  const scanner = new JsonScanner(bytes, start);
  const found: { start: number; text: string }[] = [];
  scanner.onNonFinite = (from, to) => found.push({ start: from, text: bytes.toString("latin1", from, to) });
  scanner.skipValue();
  return found;
}
