import type { JsonObject, JsonValue } from "../../support/json/value.ts";
import { joined } from "../cell.ts";
import { isText } from "../output.ts";

/** Joins the lines that an old nbformat has split a text into. Other values stay unchanged. */
export type JoinLines = (text: JsonValue) => JsonValue;

/** nbformat 2 wrote lines without their ends. So did early writers of nbformat 3, visible in the first line. */
export function joinLinesOf(version: number): JoinLines {
  return (text) => {
    if (!Array.isArray(text) || !isText(text)) return text;
    const hasEnds = version === 3 && /[\n\r]$/.test(joined(text[0]));
    return text.join(hasEnds ? "" : "\n");
  };
}

/** An object in which these members are joined texts. */
export function withWholeTexts(object: JsonObject, names: readonly string[], join: JoinLines): JsonObject {
  const members = Object.entries(object).map(([name, value]) => [name, names.includes(name) ? join(value) : value]);
  return Object.fromEntries(members);
}
