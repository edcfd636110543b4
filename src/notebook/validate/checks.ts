import { isJsonObject } from "../../support/json/parse.ts";
import type { JsonObject, JsonValue } from "../../support/json/value.ts";
import { isJsonMime, isText } from "../output.ts";

/** Reports a problem: its place and its description. */
export type Check = (at: string, message: string) => void;

export function missingMembers(object: JsonObject, needed: readonly string[], check: Check): void {
  for (const key of needed) {
    if (object[key] === undefined) check(key, "is missing");
  }
}

export function extraMembers(
  object: JsonObject,
  allowed: readonly string[],
  check: Check,
  reasons: Readonly<Record<string, string>> = {},
): void {
  for (const key of Object.keys(object)) {
    if (!allowed.includes(key)) check(key, reasons[key] ?? "is not allowed here");
  }
}

/** A MIME bundle: JSON where the type says so, text everywhere else. */
export function validateBundle(bundle: JsonValue | undefined, at: string, check: Check): void {
  if (!isJsonObject(bundle)) return check(at, "has to be an object");
  for (const [mime, value] of Object.entries(bundle)) {
    if (!isJsonMime(mime) && !isText(value)) check(`${at}.${mime}`, "has to be text or a list of lines");
  }
}

export function isWhole(value: JsonValue | undefined): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

/** A prompt number: null before the first run. */
export function isCount(value: JsonValue | undefined): boolean {
  return value === null || isWhole(value);
}
