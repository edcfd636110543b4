import { parseSpan } from "../../../support/json/parse.ts";
import { JsonScanner } from "../../../support/json/scanner.ts";
import { nbformatStyle } from "../../../support/json/style.ts";
import { JsonSyntaxError } from "../../../support/json/tokens.ts";
import type { JsonObject, JsonValue } from "../../../support/json/value.ts";
import { writeJson } from "../../../support/json/write.ts";
import type { CellType } from "../../cell.ts";

/** The content of a percent script's marker: `# %% A title [markdown] tags=["x"]`. */
export interface PercentMarker {
  readonly type: CellType;
  readonly metadata: JsonObject;
}

export function isPercentMarker(line: string): boolean {
  return /^\s*#\s*%%(?:%*\s|%*$)/.test(line);
}

export function readPercentMarker(line: string): PercentMarker {
  const rest = line.replace(/^\s*#\s*%%+/, "").trim();
  const { title, metadata } = splitMetadata(rest);
  const kind = /\[(markdown|md|raw)\]/.exec(title);
  const name = (kind === null ? title : title.replace(kind[0], "")).trim();
  const type = kind === null ? "code" : kind[1] === "raw" ? "raw" : "markdown";
  return { type, metadata: name === "" ? metadata : { ...metadata, title: name } };
}

export function writePercentMarker(type: CellType, metadata: JsonObject): string {
  const { title, ...rest } = metadata;
  const isTitle = typeof title === "string" && /^[^[\]{}="\n]+$/.test(title) && title.trim() === title;
  const parts = ["# %%"];
  if (isTitle) parts.push(title);
  if (type !== "code") parts.push(`[${type}]`);
  for (const [key, value] of Object.entries(isTitle ? rest : metadata)) {
    if (isWritable(key)) parts.push(`${key}=${spaced(value)}`);
  }
  return parts.join(" ");
}

/** Metadata that changes with every run, or belongs to one program's view: useless in a script. */
function isWritable(key: string): boolean {
  const isOfTheMoment = ["autoscroll", "collapsed", "scrolled", "trusted", "execution", "ExecuteTime"].includes(key);
  return !isOfTheMoment && /^[\w.-]+$/.test(key);
}

/** As Python's `json.dumps` writes it. */
function spaced(value: JsonValue): string {
  return writeJson(value, { ...nbformatStyle, sortsKeys: false }, null);
}

/** `key=value` pairs, or one JSON object, at the end of a marker; everything before them is title and type. */
function splitMetadata(text: string): { title: string; metadata: JsonObject } {
  for (const match of text.matchAll(/(?:^|\s)(?=[\w.-]+=|\{)/g)) {
    const start = match.index + match[0].length;
    const metadata = readPairs(text.slice(start));
    if (metadata !== null) return { title: text.slice(0, start).trim(), metadata };
  }
  return { title: text, metadata: {} };
}

function readPairs(text: string): JsonObject | null {
  const bytes = Buffer.from(text);
  const scanner = new JsonScanner(bytes);
  try {
    const value = (): JsonValue => {
      scanner.skipSpace();
      const start = scanner.at;
      scanner.skipValue();
      return parseSpan(bytes, start, scanner.at);
    };
    if (text.startsWith("{")) {
      const object = value();
      return scanner.peek() === -1 ? (object as JsonObject) : null;
    }
    const pairs: Record<string, JsonValue> = {};
    while (scanner.peek() !== -1) {
      const key = /^[\w.-]+(?==)/.exec(bytes.toString("utf8", scanner.at))?.[0];
      if (key === undefined) return null;
      scanner.at += key.length + 1;
      pairs[key] = value();
    }
    return pairs;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}
