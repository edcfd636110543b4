import type { JsonStyle } from "./style.ts";
import type { JsonValue } from "./value.ts";

/**
 * Writes a value in a file's style. `indent` is the indentation of the value's first line; null keeps
 * all of it on that line. Without recursion, so any depth is fine.
 */
export function writeJson(value: JsonValue, style: JsonStyle, indent: string | null): string {
  const parts: string[] = [];
  const open: Open[] = [];
  let next: JsonValue | undefined = value;
  for (;;) {
    if (isContainer(next)) {
      const container: Open = openContainer(next, style, open.at(-1)?.inner ?? indent);
      parts.push(container.isObject ? "{" : "[");
      open.push(container);
    } else {
      parts.push(scalar(next, style));
    }
    for (;;) {
      const container = open.at(-1);
      if (container === undefined) return parts.join("");
      const index = container.written++;
      if (index < container.values.length) {
        parts.push(separator(container, index, style));
        if (container.isObject) parts.push(quoted(container.keys[index] as string, style), style.colon);
        next = container.values[index];
        break;
      }
      open.pop();
      if (container.values.length > 0 && container.inner !== null) parts.push(style.newline, container.outer ?? "");
      parts.push(container.isObject ? "}" : "]");
    }
  }
}

/** A container being written. */
interface Open {
  readonly isObject: boolean;
  readonly keys: readonly string[];
  readonly values: readonly (JsonValue | undefined)[];
  readonly outer: string | null;
  /** The indentation of its members; null when they stay on the line. */
  readonly inner: string | null;
  written: number;
}

function openContainer(container: object, style: JsonStyle, outer: string | null): Open {
  const inner = outer === null ? null : outer + (style.indent ?? " ");
  if (Array.isArray(container)) return { isObject: false, keys: [], values: container, outer, inner, written: 0 };
  const entries = Object.entries(container).filter(([, value]) => value !== undefined);
  if (style.sortsKeys) entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const keys = entries.map(([key]) => key);
  return { isObject: true, keys, values: entries.map(([, value]) => value), outer, inner, written: 0 };
}

function isContainer(value: JsonValue | undefined): value is object & JsonValue {
  return typeof value === "object" && value !== null;
}

function separator({ inner }: Open, index: number, style: JsonStyle): string {
  if (inner !== null) return (index === 0 ? "" : ",") + style.newline + inner;
  return index === 0 ? "" : style.comma;
}

function scalar(value: JsonValue | undefined, style: JsonStyle): string {
  if (typeof value === "string") return quoted(value, style);
  // As Python writes them; JSON.stringify would lose them.
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return "-0.0";
  return JSON.stringify(value ?? null);
}

function quoted(text: string, style: JsonStyle): string {
  const json = JSON.stringify(text);
  return style.escapesNonAscii ? json.replace(/[\u007f-\uffff]/g, escaped) : json;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
