import type { LargeContent } from "../../kernel/events.ts";
import { isTooDeep, jsonText } from "../../support/json/deep-json.ts";
import type { JsonValue } from "../../support/json/value.ts";
import { pictureHeader } from "../pictures/picture-header.ts";
import { sayBytes } from "../text/say-size.ts";
import type { KeptPart } from "./display-part.ts";

export function keptText(mimeType: string, label: string, content: string, detail = ""): KeptPart {
  const bytes = Buffer.byteLength(content);
  return { type: "kept", mimeType, content, bytes, label: joined(label, sayBytes(bytes), detail) };
}

export function keptJson(mimeType: string, label: string, value: JsonValue): KeptPart {
  return keptText(mimeType, label, mimeType === "application/json" ? inLines(value) : jsonText(value));
}

/** With line breaks, JSON can be searched and read in part. Deep JSON would be mostly spaces, and long JSON stays unchanged. */
function inLines(value: JsonValue): string {
  const text = jsonText(value);
  if (text.length > longestInLines || isTooDeep(value, deepestInLines)) return text;
  const lines = JSON.stringify(value, null, 2);
  return lines.length <= 3 * text.length ? lines : text;
}

const longestInLines = 1_000_000;
const deepestInLines = 8;

/** Content that stays in its file until it is stored. */
export function keptLarge(mimeType: string, label: string, content: LargeContent, detail = ""): KeptPart {
  const bytes = !content.isJson && isBinary(mimeType) ? Math.floor((content.bytes * 3) / 4) : content.bytes;
  const lost = content.problem === null ? "" : `not kept: ${content.problem}`;
  return { type: "kept", mimeType, content, bytes, label: joined(label, sayBytes(bytes), detail, lost) };
}

/** Whether content of this type arrives as base64. */
export function isBinary(mimeType: string): boolean {
  return /^(?:image|audio|video|font)\/(?!svg)|^application\/(?:pdf|octet-stream|zip)$/.test(mimeType);
}

/** Content that arrived as base64: sound, film, PDF, and pictures in formats that models do not accept. */
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

/** The base64 may contain line ends, or be a whole data URL. */
export function bytesOf(base64: string): Buffer {
  const start = base64.startsWith("data:") ? base64.indexOf(",") + 1 : 0;
  return Buffer.from(base64.slice(start), "base64");
}

function joined(...words: readonly string[]): string {
  return words.filter((word) => word !== "").join(", ");
}
