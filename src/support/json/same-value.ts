import type { JsonValue } from "./value.ts";

/** Whether two values are equal, regardless of key order. Without recursion, so any depth is fine. */
export function isSameValue(one: JsonValue, other: JsonValue): boolean {
  const rest: (JsonValue | undefined)[] = [one, other];
  while (rest.length > 0) {
    const b = rest.pop();
    const a = rest.pop();
    // Not `===`: NaN equals NaN here, and -0.0 differs from 0.
    if (Object.is(a, b)) continue;
    if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = keysOf(a);
    if (keys.length !== keysOf(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      rest.push(a[key], b[key]);
    }
  }
  return true;
}

type Container = Readonly<Record<string, JsonValue | undefined>>;

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

/** An undefined member would not be written. */
function keysOf(container: Container): readonly string[] {
  return Object.keys(container).filter((key) => container[key] !== undefined);
}
