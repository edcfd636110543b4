import type { MimeBundle } from "../../kernel/events.ts";
import { isTooDeep, isTooDeepText } from "../../support/json/deep-json.ts";
import type { JsonValue } from "../../support/json/value.ts";

/** A report of Python code about its work (a written file, a search), for hosts to show; never text. */
export interface StatusEvent {
  readonly op: string;
  readonly [detail: string]: JsonValue;
}

/** Our name, and the names that other preludes use. */
const statusTypes = [
  "application/x-granary-status",
  "application/x-xcsh-status",
  "application/x-pisces-status",
  "application/x-omp-status",
];

export function isStatusType(mimeType: string): boolean {
  return statusTypes.includes(mimeType);
}

/** The bundle's status event; null without one, a sentence if it is invalid. */
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
  if (typeof value !== "string" || isTooDeepText(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
