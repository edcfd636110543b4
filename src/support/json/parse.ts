import { randomUUID } from "node:crypto";
import { JsonScanner } from "./scanner.ts";
import type { JsonObject, JsonValue } from "./value.ts";

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

/** Slow and rarely needed: only for a value with Python's extensions of JSON. */
function parseWithNonFinite(bytes: Buffer, start: number, end: number): JsonValue {
  // No string of the file can be equal to it.
  const stand = randomUUID();
  const parts: string[] = [];
  let copied = start;
  for (const token of nonFiniteTokens(bytes, start)) {
    parts.push(bytes.toString("utf8", copied, token.start), `"${stand}${token.text}"`);
    copied = token.start + token.text.length;
  }
  parts.push(bytes.toString("utf8", copied, end));
  return withNonFinite(JSON.parse(parts.join("")), stand);
}

const ordinary = { configurable: true, enumerable: true, writable: true };

/** Replaces placeholders with numbers. Without recursion, unlike the reviver of `JSON.parse`. */
function withNonFinite(parsed: JsonValue, stand: string): JsonValue {
  const whole = { value: parsed };
  const rest: Record<string, JsonValue>[] = [whole];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    for (const [key, value] of Object.entries(next)) {
      if (typeof value === "object" && value !== null) rest.push(value as Record<string, JsonValue>);
      else if (typeof value === "string" && value.startsWith(stand)) {
        // Not by assignment, which has another meaning for a key `__proto__`.
        Object.defineProperty(next, key, { ...ordinary, value: Number(value.slice(stand.length)) });
      }
    }
  }
  return whole.value;
}

function nonFiniteTokens(bytes: Buffer, start: number): { start: number; text: string }[] {
  const scanner = new JsonScanner(bytes, start);
  const found: { start: number; text: string }[] = [];
  scanner.onNonFinite = (from, to) => found.push({ start: from, text: bytes.toString("latin1", from, to) });
  scanner.skipValue();
  return found;
}
