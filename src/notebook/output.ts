import { jsonText } from "../support/json/deep-json.ts";
import { isJsonObject } from "../support/json/parse.ts";
import type { JsonObject, JsonValue } from "../support/json/value.ts";
import { joined } from "./cell.ts";
import { splitLines } from "./lines.ts";

/** Text in a notebook: one string, or its lines. */
type MultilineText = string | readonly string[];

/** An output in nbformat, which is why its names are in snake_case. */
export type NotebookOutput =
  | { readonly output_type: "stream"; readonly name: string; readonly text: MultilineText }
  | { readonly output_type: "display_data"; readonly data: JsonObject; readonly metadata: JsonObject }
  | {
      readonly output_type: "execute_result";
      readonly data: JsonObject;
      readonly metadata: JsonObject;
      readonly execution_count: number | null;
    }
  | {
      readonly output_type: "error";
      readonly ename: string;
      readonly evalue: string;
      readonly traceback: readonly string[];
    };

/**
 * An output as it is stored: only nbformat's members (so no `transient`), text split into lines where
 * nbformat's own writer splits it.
 */
export function storedOutput(output: NotebookOutput): JsonObject {
  const { output_type } = output;
  switch (output_type) {
    case "stream":
      return { output_type, name: output.name, text: splitLines(joined(output.text)) };
    case "display_data":
      return { output_type, data: storedData(output.data), metadata: output.metadata ?? {} };
    case "execute_result": {
      const { execution_count = null } = output;
      return { output_type, data: storedData(output.data), metadata: output.metadata ?? {}, execution_count };
    }
    case "error":
      return { output_type, ename: output.ename, evalue: output.evalue, traceback: output.traceback };
  }
}

/** MIME types whose value is JSON; all other types have text. */
export function isJsonMime(mime: string): boolean {
  return /^application\/(.*\+)?json$/.test(mime);
}

function storedData(data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(data ?? {}).map(([mime, value]) => [mime, storedValue(mime, value)]));
}

function storedValue(mime: string, value: JsonValue): JsonValue {
  if (isJsonMime(mime)) return value;
  const text = isText(value) ? joined(value) : jsonText(value);
  const isSplit = mime.startsWith("text/") || mime === "application/javascript" || mime === "image/svg+xml";
  return isSplit ? splitLines(text) : text;
}

export function isText(value: JsonValue | undefined): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((line) => typeof line === "string"));
}

/** A stored value as an output; null when it is not one. */
export function asOutput(stored: JsonObject): NotebookOutput | null {
  const { output_type, name, text, data, metadata, execution_count, ename, evalue, traceback } = stored;
  const bundle = { data: isJsonObject(data) ? data : {}, metadata: isJsonObject(metadata) ? metadata : {} };
  switch (output_type) {
    case "stream":
      return { output_type, name: joined(name), text: joined(text) };
    case "display_data":
      return { output_type, ...bundle };
    case "execute_result":
      return { output_type, ...bundle, execution_count: typeof execution_count === "number" ? execution_count : null };
    case "error":
      return { output_type, ename: joined(ename), evalue: joined(evalue), traceback: lines(traceback) };
    default:
      return null;
  }
}

function lines(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map((line) => joined(line)) : [];
}
