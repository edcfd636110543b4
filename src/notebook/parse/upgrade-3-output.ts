import { isJsonObject, parseSpan } from "../../support/json/parse.ts";
import type { JsonObject, JsonValue } from "../../support/json/value.ts";
import { asOutput, storedOutput } from "../output.ts";
import { type JoinLines, withWholeTexts } from "./old-lines.ts";

/** The short names that nbformat 3 has for MIME types. */
const mimeTypes: Readonly<Record<string, string>> = {
  text: "text/plain",
  html: "text/html",
  svg: "image/svg+xml",
  png: "image/png",
  jpeg: "image/jpeg",
  latex: "text/latex",
  json: "application/json",
  javascript: "application/javascript",
};

const splitContents = ["text", "html", "svg", "latex", "javascript", "json"];

/** An output of nbformat 3 as nbformat 4 stores it. An unknown type stays unchanged. */
export function upgradeOutput(output: JsonObject, join: JoinLines): JsonObject {
  const upgraded = asVersion4(withWholeTexts(output, splitContents, join));
  const known = asOutput(upgraded);
  return known === null ? upgraded : storedOutput(known);
}

function asVersion4(output: JsonObject): JsonObject {
  const { output_type, metadata, prompt_number = null, ...rest } = output;
  switch (output_type) {
    case "pyout":
      return { output_type: "execute_result", execution_count: prompt_number, ...bundle(rest, metadata) };
    case "display_data":
      return { output_type, ...bundle(rest, metadata) };
    case "pyerr":
      return { ...rest, output_type: "error" };
    case "stream": {
      const { stream = "stdout", ...more } = rest;
      return { ...more, output_type, name: stream };
    }
    default:
      return output;
  }
}

function bundle(contents: JsonObject, metadata: JsonValue | undefined): JsonObject {
  const data = Object.entries(byMimeType(contents)).map(([mime, value]) => [mime, contentOf(mime, value)]);
  return { data: Object.fromEntries(data), metadata: isJsonObject(metadata) ? byMimeType(metadata) : {} };
}

function byMimeType(values: JsonObject): JsonObject {
  const renamed = Object.entries(values).map(([name, value]) => [
    Object.hasOwn(mimeTypes, name) ? mimeTypes[name] : name,
    value,
  ]);
  return Object.fromEntries(renamed);
}

/** JSON was stored as text. Invalid JSON stays text. */
function contentOf(mime: string, value: JsonValue): JsonValue {
  if (mime !== "application/json" || typeof value !== "string") return value;
  const text = Buffer.from(value);
  try {
    return parseSpan(text, 0, text.length);
  } catch {
    return value;
  }
}
