import { GranaryError } from "./granary-error.ts";

/** For callers without the help of types, who would otherwise find out much later, or never. */

export function checkTimeLimit(value: unknown, name = "timeoutMs"): void {
  if (value === undefined || (typeof value === "number" && value >= 0)) return;
  throw invalid(name, "a number of milliseconds from 0 on, or Infinity for no limit", value);
}

export function checkText(value: unknown, name: string): void {
  if (value === undefined || typeof value === "string") return;
  throw invalid(name, "a text", value);
}

export function checkList(value: unknown, name: string, of: string): void {
  if (Array.isArray(value)) return;
  throw invalid(name, `an array of ${of}`, value);
}

export function invalid(name: string, expected: string, value: unknown): GranaryError<"invalid-argument"> {
  return new GranaryError("invalid-argument", `${name} takes ${expected}; got ${shown(value)}.`, {
    details: { argument: name },
  });
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length <= 60 ? value : `${value.slice(0, 60)}…`);
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}
