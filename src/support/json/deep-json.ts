/**
 * JSON of untrusted depth. `JSON.stringify`, `structuredClone`, schema checks and most programs that
 * receive a value recurse into it, and a few kilobytes of brackets overflow their stack. So a value that is nested
 * deeper than `deepestJson` is never passed on as a value: it stays text.
 */

/** In levels of brackets. Far below a stack overflow in JavaScript or Python, and far above what people nest. */
export const deepestJson = 200;

/** Reads no more of it than necessary. */
export function isTooDeep(value: unknown, deepest = deepestJson): boolean {
  if (!isContainer(value)) return false;
  const waiting: object[] = [value];
  const depths: number[] = [1];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const depth = depths.pop() as number;
    if (depth > deepest) return true;
    for (const member of Array.isArray(next) ? next : Object.values(next)) {
      if (!isContainer(member)) continue;
      waiting.push(member);
      depths.push(depth + 1);
    }
  }
  return false;
}

/** Whether JSON text is nested too deeply, without parsing it into a value. */
export function isTooDeepText(json: string, deepest = deepestJson): boolean {
  if (json.length <= 2 * deepest) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === openBracket || unit === openBrace) depth++;
    else if (unit === closeBracket || unit === closeBrace) depth--;
    // Brackets in a string do not count.
    else if (unit === quote) at = stringEnd(json, at);
    if (depth > deepest) return true;
  }
  return false;
}

const [openBracket, closeBracket, openBrace, closeBrace, quote, backslash] = [0x5b, 0x5d, 0x7b, 0x7d, 0x22, 0x5c];

/** The index of the quote that ends the string. */
export function stringEnd(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === backslash) at++;
    else if (unit === quote) return at;
  }
  return json.length;
}

/** `JSON.stringify` for JSON of any depth. */
export function jsonText(value: unknown): string {
  return isTooDeep(value) ? deepText(value) : (JSON.stringify(value) ?? "null");
}

/** The approximate length of a value as JSON, without making that text. */
export function jsonLength(value: unknown): number {
  let length = 0;
  const waiting: object[] = [];
  const add = (member: unknown): void => {
    if (typeof member === "string") length += member.length + 2;
    else if (isContainer(member)) waiting.push(member);
    else length += 5;
  };
  add(value);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    length += 2;
    if (Array.isArray(next)) {
      length += next.length;
      for (const member of next) add(member);
    } else {
      for (const [key, member] of Object.entries(next)) {
        length += key.length + 4;
        add(member);
      }
    }
  }
  return length;
}

interface Open {
  readonly keys: readonly string[] | null;
  readonly members: readonly unknown[];
  written: number;
}

function deepText(value: unknown): string {
  const parts: string[] = [];
  const open: Open[] = [];
  const begin = (next: unknown): void => {
    if (!isContainer(next)) {
      parts.push(JSON.stringify(next) ?? "null");
      return;
    }
    const isArray = Array.isArray(next);
    const keys = isArray ? null : Object.keys(next);
    parts.push(isArray ? "[" : "{");
    open.push({ keys, members: isArray ? next : Object.values(next), written: 0 });
  };
  begin(value);
  for (let container = open.at(-1); container !== undefined; container = open.at(-1)) {
    const index = container.written++;
    if (index === container.members.length) {
      parts.push(container.keys === null ? "]" : "}");
      open.pop();
      continue;
    }
    if (index > 0) parts.push(",");
    if (container.keys !== null) parts.push(JSON.stringify(container.keys[index]), ":");
    begin(container.members[index]);
  }
  return parts.join("");
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
