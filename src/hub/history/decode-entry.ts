import type { HistoryEntry } from "./history-entry.ts";
import type { HistoryOwner } from "./session-history.ts";

/** A line of a history, which a full disk, a crash or an editor may have damaged; null for one that is no entry. */
export function decodeEntry(value: unknown): HistoryEntry | null {
  if (!isObject(value)) return null;
  const isEntry = "mark" in value ? isMark(value) : isCell(value);
  return isEntry ? (value as unknown as HistoryEntry) : null;
}

/** The first line. */
export function decodeOwner(value: unknown): HistoryOwner | null {
  const isOwner = isObject(value) && typeof value.name === "string" && typeof value.folder === "string";
  return isOwner ? (value as unknown as HistoryOwner) : null;
}

function isMark({ mark, cells, ...rest }: Readonly<Record<string, unknown>>): boolean {
  const namesCells = mark === "undone" || mark === "live";
  if (mark === "begun") {
    const { id, by, at, code, hub } = rest;
    return [id, by, at, code].every(isText) && isObject(hub) && Number.isInteger(hub.pid);
  }
  if (mark === "act") return [rest.id, rest.by, rest.at, rest.title].every(isText);
  return typeof mark === "string" && (!namesCells || (Array.isArray(cells) && cells.every(isText)));
}

function isCell(cell: Readonly<Record<string, unknown>>): boolean {
  const { id, by, at, code, status, outputs } = cell;
  return [id, by, at, code, status].every(isText) && Array.isArray(outputs) && outputs.every(isObject);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
