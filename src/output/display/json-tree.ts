import type { JsonValue } from "../../support/json/value.ts";
import { sayCount } from "../../support/say-count.ts";

export interface JsonLimits {
  /** Nesting of brackets. */
  readonly depth: number;
  /** Members of one object or array. */
  readonly members: number;
  /** Of one string. */
  readonly characters: number;
  readonly lines: number;
}

export const jsonLimits: JsonLimits = { depth: 6, members: 30, characters: 200, lines: 120 };

export interface JsonTree {
  readonly text: string;
  /** True if nothing was omitted. */
  readonly complete: boolean;
}

/** Readable JSON: values that fit a line take one line; those that are too deep, long or many are counted instead. */
export function jsonTree(value: JsonValue, limits: JsonLimits = jsonLimits): JsonTree {
  const tree = new Tree(limits);
  tree.add(value, { indent: "", before: "", after: "" });
  return { text: tree.lines.join("\n"), complete: tree.complete };
}

const lineWidth = 100;

type JsonObject = { readonly [key: string]: JsonValue };

interface Place {
  readonly indent: string;
  /** The key, if the value has one. */
  readonly before: string;
  readonly after: string;
}

class Tree {
  readonly lines: string[] = [];
  readonly #limits: JsonLimits;
  complete = true;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  add(value: JsonValue, place: Place): void {
    const { indent, before, after } = place;
    const line = this.#onOneLine(value, lineWidth - indent.length - before.length);
    if (line !== null) this.#line(indent + before + line + after);
    else if (typeof value === "string") this.#line(indent + before + this.#shortened(value) + after);
    else if (indent.length / 2 >= this.#limits.depth) this.#line(indent + before + this.#counted(value) + after);
    else this.#members(value as readonly JsonValue[] | JsonObject, place);
  }

  #members(value: readonly JsonValue[] | JsonObject, { indent, before, after }: Place): void {
    const isArray = Array.isArray(value);
    const keys = isArray ? null : Object.keys(value);
    const count = isArray ? value.length : (keys?.length ?? 0);
    this.#line(indent + before + (isArray ? "[" : "{"));
    let shown = 0;
    for (; shown < Math.min(count, this.#limits.members) && this.lines.length < this.#limits.lines; shown++) {
      const key = keys?.[shown];
      const member = (isArray ? value[shown] : (value as JsonObject)[key ?? ""]) as JsonValue;
      const named = key === undefined ? "" : `${this.#shortened(key)}: `;
      this.add(member, { indent: `${indent}  `, before: named, after: shown === count - 1 ? "" : "," });
    }
    if (shown < count) this.#leftOut(`${indent}  `, count - shown);
    this.#line(indent + (isArray ? "]" : "}") + after);
  }

  #line(line: string): void {
    this.lines.push(line);
  }

  #leftOut(indent: string, count: number): void {
    this.complete = false;
    this.#line(`${indent}… ${count.toLocaleString("en-US")} more`);
  }

  #counted(value: JsonValue): string {
    this.complete = false;
    return Array.isArray(value)
      ? `[… ${sayCount(value.length, "item")}]`
      : `{… ${sayCount(Object.keys(value as object).length, "key")}}`;
  }

  #shortened(text: string): string {
    const most = this.#limits.characters;
    if (text.length <= most) return JSON.stringify(text);
    this.complete = false;
    const start = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
    return `${JSON.stringify(start)}… ${sayCount(text.length - start.length, "more character")}`;
  }

  /** Null if the value takes more than `width` characters; reads no more of it than that. */
  #onOneLine(value: JsonValue, width: number): string | null {
    if (typeof value === "string" && value.length > width) return null;
    if (value === null || typeof value !== "object") {
      const text = JSON.stringify(value);
      return text.length <= width || typeof value !== "string" ? text : null;
    }
    const isArray = Array.isArray(value);
    const parts: string[] = [];
    let left = width - 2;
    for (const key of isArray ? value.keys() : Object.keys(value)) {
      const before = isArray ? "" : `${JSON.stringify(key)}: `;
      const member = left < before.length ? null : this.#onOneLine((value as never)[key], left - before.length);
      if (member === null) return null;
      parts.push(before + member);
      left -= before.length + member.length + 2;
      if (left < -2) return null;
    }
    return isArray ? `[${parts.join(", ")}]` : parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
  }
}
