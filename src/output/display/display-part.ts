import type { LargeContent, MimeBundle } from "../../kernel/events.ts";
import { isTooCostlyText } from "../../support/json/costly-json.ts";
import { isTooDeep, isTooDeepText } from "../../support/json/deep-json.ts";
import type { JsonValue } from "../../support/json/value.ts";

/**
 * A MIME bundle for a reader of text and pictures. Not lossless: hosts that need the
 * bundle itself (notebooks) keep the event.
 */
export interface RenderedDisplay {
  /** For the model's text, without a final line end; "" if there is no text. `displayText` completes it. */
  readonly text: string;
  readonly parts: readonly DisplayPart[];
  /** Undefined if the text is plain from its beginning. */
  readonly begins?: TextBeginning | undefined;
}

/**
 * The beginning of a display's text, where a host may show something better: markdown; the tree of a value that is among
 * the parts; a name that only represents the display, such as `<Figure size 640x480>`.
 */
export interface TextBeginning {
  readonly as: "markdown" | "tree" | "name";
  readonly length: number;
}

export type DisplayPart = JsonPart | ImagePart | StatusPart | KeptPart;

/** The value of `application/json`, for programs and for hosts that show trees. */
export interface JsonPart {
  readonly type: "json";
  readonly value: JsonValue;
}

/** A picture to attach to a tool's result: decodes, and is within the limits. */
export interface ImagePart {
  readonly type: "image";
  readonly mimeType: "image/png" | "image/jpeg";
  readonly base64: string;
  readonly width: number;
  readonly height: number;
  /** The description that the code gave the picture; "" without one. */
  readonly alt: string;
  /** The picture as the code made it. Differs from the one above if that had to be scaled down. */
  readonly original: { readonly width: number; readonly height: number; readonly bytes: number };
}

/** For hosts that show progress; never part of the text. */
export interface StatusPart {
  readonly type: "status";
  readonly event: StatusEvent;
}

/** Content that the text omits, or shows in part: stored as an artifact, and named in the text. */
export interface KeptPart {
  readonly type: "kept";
  readonly mimeType: string;
  readonly content: string | Uint8Array | LargeContent;
  readonly bytes: number;
  /** A description in one line, without an address: `Plotly figure: 2 traces (bar), 45 KB`. */
  readonly label: string;
  /** For the original of a picture: the description without the shown size, which may change. */
  readonly name?: string;
}

/**
 * The whole text of a display: its readable text, and a line for each artifact.
 * @param addressOf the address of the artifact, such as `artifact://s1-4`; null if storing failed
 */
export function displayText(
  { text, parts }: RenderedDisplay,
  addressOf: (part: KeptPart) => string | null = () => null,
): string {
  const kept = parts.filter((part) => part.type === "kept");
  return [text, ...kept.map((part) => mention(part, addressOf(part)))].filter((line) => line !== "").join("\n");
}

/** The text with the new size of pictures that were scaled again. */
export function resizedText(
  text: string,
  parts: readonly (Omit<KeptPart, "content"> & { readonly address: string | null })[],
  isResized: (address: string) => boolean,
): string {
  const lines = (labelOf: (part: (typeof parts)[number]) => string): string =>
    parts.map((part) => mention({ label: labelOf(part) }, part.address)).join("\n");
  const before = lines(({ label }) => label);
  const after = lines(({ label, name, address }) => (address !== null && isResized(address) ? (name ?? label) : label));
  return text.endsWith(before) ? text.slice(0, text.length - before.length) + after : text;
}

function mention({ label }: Pick<KeptPart, "label">, address: string | null): string {
  return address === null ? `[${label}]` : `[${label} → ${address}]`;
}

/** Whether pictures or trees show everything that the text has. */
export function isStandIn(
  text: string,
  begins: TextBeginning | undefined,
  parts: readonly { readonly type: string }[],
): boolean {
  if (begins === undefined || begins.length !== text.length) return false;
  const has = (type: string): boolean => parts.some((part) => part.type === type);
  return (begins.as === "name" && has("image")) || (begins.as === "tree" && has("json"));
}

/** What Python code reports about what it did (a file written, a search made), for hosts to show; never text. */
export interface StatusEvent {
  readonly op: string;
  readonly [detail: string]: JsonValue;
}

/** Ours, and the names under which existing preludes send the same. */
const statusTypes = [
  "application/x-granary-status",
  "application/x-xcsh-status",
  "application/x-pisces-status",
  "application/x-omp-status",
];

export function isStatusType(mimeType: string): boolean {
  return statusTypes.includes(mimeType);
}

/** The bundle's status event: null when it has none, a sentence when what it has is no status event. */
export function statusEvent(data: MimeBundle): StatusEvent | string | null {
  const type = statusTypes.find((each) => data[each] !== undefined);
  if (type === undefined) return null;
  const value = parsed(data[type] as JsonValue);
  if (isStatus(value) && !isTooDeep(value)) return value;
  return `${type} is not an object with a text "op", so it was ignored`;
}

function isStatus(value: JsonValue): value is StatusEvent & { readonly [key: string]: JsonValue } {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const { op } = value as { readonly [key: string]: JsonValue };
  return typeof op === "string" && op !== "";
}

/** Some senders put JSON into a string. */
function parsed(value: JsonValue): JsonValue {
  if (typeof value !== "string" || isTooDeepText(value) || isTooCostlyText(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
