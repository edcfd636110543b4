import type { JsonValue } from "../../support/json/value.ts";
import { sayCount } from "../../support/say-count.ts";
import { clamp } from "../text/fit.ts";
import { oneLine } from "../text/printable.ts";
import type { Theme } from "../theme/theme.ts";
import type { ViewOptions } from "../view-options.ts";

interface TreeLimits {
  /** Levels below the value itself. */
  readonly depth: number;
  /** Members of one object or array. */
  readonly items: number;
  readonly rows: number;
}

const collapsedLimits: TreeLimits = { depth: 2, items: 5, rows: 40 };
/** A limit for trees that are deep and broad: twenty of twenty of twenty. */
const expandedLimits: TreeLimits = { depth: 6, items: 20, rows: 400 };

/** A value as a tree: a row for each member; members that are too deep or too many are counted. */
export function renderJsonLines(value: JsonValue, { width, expanded, theme }: ViewOptions): readonly string[] {
  const tree = new Tree(expanded ? expandedLimits : collapsedLimits, width, theme);
  tree.add(value, { label: "", before: "", beforeMembers: "", level: 0 });
  return tree.rows;
}

interface Place {
  readonly label: string;
  /** The tree's branches before this row. */
  readonly before: string;
  readonly beforeMembers: string;
  readonly level: number;
}

class Tree {
  readonly rows: string[] = [];
  readonly #limits: TreeLimits;
  readonly #width: number;
  readonly #theme: Theme;

  constructor(limits: TreeLimits, width: number, theme: Theme) {
    this.#limits = limits;
    this.#width = width;
    this.#theme = theme;
  }

  add(value: JsonValue, place: Place): void {
    const count = countOf(value);
    this.#row(place.before, place.label + (count === null ? this.#leaf(value) : this.#summary(value, count)));
    if (count === null || count === 0 || place.level === this.#limits.depth) return;
    let shown = 0;
    for (const [name, member] of firstMembers(value, this.#limits.items)) {
      if (this.rows.length >= this.#limits.rows) break;
      const isLast = ++shown === count;
      this.add(member, {
        label: `${this.#theme.key(oneLine(name))}: `,
        before: `${place.beforeMembers}${isLast ? "└ " : "├ "}`,
        beforeMembers: `${place.beforeMembers}${isLast ? "  " : "│ "}`,
        level: place.level + 1,
      });
    }
    this.#more(place, count - shown);
  }

  #more({ beforeMembers }: Place, count: number): void {
    if (count > 0) this.#row(`${beforeMembers}└ `, this.#theme.muted(`… ${count.toLocaleString("en-US")} more`));
  }

  #row(before: string, text: string): void {
    this.rows.push(clamp(this.#theme.border(before) + text, this.#width));
  }

  #leaf(value: JsonValue): string {
    if (typeof value === "string") return this.#theme.string(oneLine(JSON.stringify(value.slice(0, this.#width * 2))));
    return typeof value === "number" ? this.#theme.number(String(value)) : this.#theme.keyword(String(value));
  }

  #summary(value: JsonValue, count: number): string {
    if (count === 0) return Array.isArray(value) ? "[]" : "{}";
    const [one, open, close] = Array.isArray(value) ? ["item", "[", "]"] : ["key", "{", "}"];
    return this.#theme.muted(`${open}${sayCount(count, one)}${close}`);
  }
}

/** Null for a value without members, such as a number. */
function countOf(value: JsonValue): number | null {
  if (value === null || typeof value !== "object") return null;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

function firstMembers(value: JsonValue, most: number): readonly [name: string, member: JsonValue][] {
  if (Array.isArray(value)) return value.slice(0, most).map((member, at) => [String(at), member]);
  const object = value as { readonly [key: string]: JsonValue };
  return Object.keys(object)
    .slice(0, most)
    .map((key) => [key, object[key] as JsonValue]);
}
