import { isJsonObject } from "../../support/json/parse.ts";
import type { JsonValue } from "../../support/json/value.ts";
import { isText } from "../output.ts";
import { type Check, extraMembers, isCount, missingMembers, validateBundle } from "./checks.ts";

const membersOf: Readonly<Record<string, readonly string[]>> = {
  stream: ["output_type", "name", "text"],
  display_data: ["output_type", "data", "metadata"],
  execute_result: ["output_type", "data", "metadata", "execution_count"],
  error: ["output_type", "ename", "evalue", "traceback"],
};

/** Each kind of output has exactly its own members; the same in all of nbformat 4. */
export function validateOutput(output: JsonValue, check: Check): void {
  if (!isJsonObject(output)) return check("", "has to be an object");
  const { output_type: type } = output;
  const members = typeof type === "string" && Object.hasOwn(membersOf, type) ? membersOf[type] : undefined;
  if (members === undefined) return check("output_type", `has to be one of ${Object.keys(membersOf).join(", ")}`);
  missingMembers(output, members, check);
  extraMembers(output, members, check);

  const { name, text, data, metadata, execution_count, ename, evalue, traceback } = output;
  const has = (key: string) => members.includes(key) && output[key] !== undefined;
  if (has("name") && typeof name !== "string") check("name", "has to be text");
  if (has("text") && !isText(text)) check("text", "has to be text or a list of lines");
  if (has("data")) validateBundle(data, "data", check);
  if (has("metadata") && !isJsonObject(metadata)) check("metadata", "has to be an object");
  if (has("execution_count") && !isCount(execution_count)) check("execution_count", "has to be a whole number or null");
  if (has("ename") && typeof ename !== "string") check("ename", "has to be text");
  if (has("evalue") && typeof evalue !== "string") check("evalue", "has to be text");
  if (has("traceback") && !(Array.isArray(traceback) && isText(traceback)))
    check("traceback", "has to be a list of lines");
}
