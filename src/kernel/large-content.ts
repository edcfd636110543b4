import { isTooCostlyText } from "../support/json/costly-json.ts";
import { isTooDeep, isTooDeepText, jsonText } from "../support/json/deep-json.ts";
import type { JsonValue } from "../support/json/value.ts";
import type { KernelEvent, LargeContent, LargeContents, MimeBundle } from "./events.ts";

/** A text that is already in memory. */
function contentInMemory(text: string, isJson: boolean): LargeContent {
  const bytes = Buffer.from(text);
  return {
    isJson,
    bytes: bytes.length,
    problem: null,
    async *chunks() {
      yield bytes;
    },
  };
}

/** Takes values out of a bundle that are nested too deeply to be passed on. */
export function withoutDeepValues(data: MimeBundle): { readonly data: MimeBundle; readonly large?: LargeContents } {
  if (!Object.values(data).some((value) => isTooDeep(value))) return { data };
  const deep = Object.entries(data).filter(([, value]) => isTooDeep(value));
  const large = deep.map(([mimeType, value]) => [mimeType, contentInMemory(jsonText(value), true)]);
  const others = Object.entries(data).filter(([, value]) => !isTooDeep(value));
  return { data: Object.fromEntries(others), large: Object.fromEntries(large) };
}

/** Metadata whose members are nested too deeply has their JSON instead. */
export function withoutDeepMembers(metadata: MimeBundle): MimeBundle {
  if (!isTooDeep(metadata)) return metadata;
  const members = Object.entries(metadata);
  return Object.fromEntries(members.map(([key, value]) => [key, isTooDeep(value) ? jsonText(value) : value]));
}

/** The whole text; null when it has more bytes than that, or cannot be read. */
export async function readContent(content: LargeContent, mostBytes: number): Promise<string | null> {
  if (content.problem !== null || content.bytes > mostBytes) return null;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of content.chunks()) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString("utf8");
}

type ShowEvent = Extract<KernelEvent, { type: "display" | "result" }>;

/**
 * The event with its large contents in `data`, each up to so many bytes, for callers that need them whole. JSON that is
 * nested too deeply, or has too many values, becomes text. Larger contents stay in `large`.
 */
export async function withLargeContents<Event extends ShowEvent>(
  event: Event,
  mostBytes: (mimeType: string, content: LargeContent) => number,
): Promise<Event> {
  if (event.large === undefined) return event;
  const read: Record<string, JsonValue> = {};
  const left: Record<string, LargeContent> = {};
  for (const [mimeType, content] of Object.entries(event.large)) {
    const text = await readContent(content, mostBytes(mimeType, content));
    if (text === null) left[mimeType] = content;
    else
      read[mimeType] =
        content.isJson && !isTooDeepText(text) && !isTooCostlyText(text) ? (JSON.parse(text) as JsonValue) : text;
  }
  const { large: _, ...rest } = event;
  const more = Object.keys(left).length > 0 ? { large: left } : undefined;
  return { ...rest, data: { ...event.data, ...read }, ...more } as unknown as Event;
}
