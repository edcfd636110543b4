import { createHash } from "node:crypto";
import { jsonText } from "../../support/json/deep-json.ts";
import type { JsonObject, JsonValue } from "../../support/json/value.ts";
import { sayCount } from "../../support/say-count.ts";
import { joined } from "../cell.ts";
import { asOutput, isText } from "../output.ts";

/** A stored output as lines to compare and read: text unchanged, everything else by size and hash. */
export function outputText(stored: JsonObject): string {
  const output = asOutput(stored);
  if (output === null) return "[an output of an unknown kind]\n";
  switch (output.output_type) {
    case "stream":
      return withNewline(joined(output.text));
    case "error":
      return withNewline(`${output.ename}: ${output.evalue}`);
    default:
      return dataText(output.data);
  }
}

/** The first available type is used; HTML beside it says the same. */
const readable = ["text/plain", "text/markdown", "text/latex", "text/html"];

function dataText(data: JsonObject): string {
  const text = readable.find((mime) => data[mime] !== undefined);
  const others = Object.keys(data).filter((mime) => mime !== text && !mime.startsWith("text/"));
  const lines = others.map((mime) => `[${mime}, ${fingerprint(data[mime] ?? null)}]\n`);
  return (text === undefined ? "" : withNewline(joined(data[text]))) + lines.join("");
}

function fingerprint(value: JsonValue): string {
  const text = isText(value) ? joined(value) : jsonText(value);
  return `${sayCount(text.length, "character")}, ${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
}

function withNewline(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
