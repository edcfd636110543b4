import type { JsonValue } from "../kernel/events.ts";
import type { KeptPart } from "./display-part.ts";
import { pictureHeader } from "./pictures/picture-header.ts";
import { sayBytes } from "./say-size.ts";

export function keptText(mimeType: string, label: string, content: string, detail = ""): KeptPart {
  const bytes = Buffer.byteLength(content);
  return { type: "kept", mimeType, content, bytes, label: joined(label, sayBytes(bytes), detail) };
}

/** At most one part: JSON that is nested too deep cannot be written, and what can be shown of it was. */
export function keptJson(mimeType: string, label: string, value: JsonValue): KeptPart[] {
  try {
    return [keptText(mimeType, label, JSON.stringify(value, null, mimeType === "application/json" ? 2 : undefined))];
  } catch {
    return [];
  }
}

/** Content that came as base64: sound, film, PDF, and pictures of a kind that models do not take. */
export function keptBinary(mimeType: string, base64: string): KeptPart {
  const content = bytesOf(base64);
  const header = mimeType.startsWith("image/") ? pictureHeader(content) : null;
  const size = header ? ` ${header.width}x${header.height}` : "";
  return keptBytes(mimeType, `${mimeType}${size}`, content);
}

export function keptBytes(mimeType: string, label: string, content: Uint8Array, detail = ""): KeptPart {
  const described = joined(label, sayBytes(content.length), detail);
  return { type: "kept", mimeType, content, bytes: content.length, label: described };
}

/** Base64 may have line ends in it, or be a whole data address. */
export function bytesOf(base64: string): Buffer {
  const start = base64.startsWith("data:") ? base64.indexOf(",") + 1 : 0;
  return Buffer.from(base64.slice(start), "base64");
}

function joined(...words: readonly string[]): string {
  return words.filter((word) => word !== "").join(", ");
}
