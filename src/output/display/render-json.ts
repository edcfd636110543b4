import { isTooDeep, jsonText } from "../../support/json/deep-json.ts";
import type { JsonValue } from "../../support/json/value.ts";
import type { DisplayPart, RenderedDisplay } from "./display-part.ts";
import { type JsonLimits, jsonTree } from "./json-tree.ts";
import { keptJson, keptText } from "./kept-content.ts";

export interface RenderedJson {
  /** For a display without other text. */
  readonly tree: string;
  /** Added in any case. */
  readonly beside: RenderedDisplay;
}

const tooDeep = "nested too deeply to be a value";

/** Undefined if there is no JSON. Always reports broken JSON, even beside other text. */
export function renderJson(source: JsonValue | undefined, limits?: JsonLimits): RenderedJson {
  if (source === undefined) return { tree: "", beside: { text: "", parts: [] } };
  const value = parsedJson(source);
  if (value === undefined) {
    return { tree: "", beside: { text: "[application/json is broken: it does not parse]", parts: [] } };
  }
  const { text, complete } = jsonTree(value, limits);
  return { tree: text, beside: { text: "", parts: [...partsOf(source, value, complete)] } };
}

function partsOf(source: JsonValue, value: JsonValue, isAllThere: boolean): readonly DisplayPart[] {
  if (isTooDeep(value)) {
    const asItCame = typeof source === "string" ? source : jsonText(source);
    return [keptText("application/json", "JSON", asItCame, tooDeep)];
  }
  const json: DisplayPart = { type: "json", value };
  return isAllThere ? [json] : [json, keptJson("application/json", "JSON", value)];
}

/** A string may be a value, or JSON inside a string; undefined for broken JSON inside a string. */
function parsedJson(source: JsonValue): JsonValue | undefined {
  if (typeof source !== "string" || !/^\s*[[{]/.test(source)) return source;
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}
