import { isJsonObject } from "../../support/json/parse.ts";
import type { JsonObject, JsonValue } from "../../support/json/value.ts";
import { cellTypes, joined } from "../cell.ts";
import { isValidId } from "../edit/cell-id.ts";
import { isText } from "../output.ts";
import { type Check, extraMembers, isCount, missingMembers, validateBundle } from "./checks.ts";
import { validateOutput } from "./validate-output.ts";

/** Validates one cell by the rules of nbformat 4.`minor`. */
export function validateCell(cell: JsonObject, minor: number, check: Check): void {
  const isCode = cell.cell_type === "code";
  const ids = minor >= 5 ? ["id"] : [];
  const needed = [...ids, "cell_type", "metadata", "source", ...(isCode ? ["outputs", "execution_count"] : [])];
  missingMembers(cell, needed, check);
  if (cell.cell_type !== undefined && !cellTypes.some((type) => type === cell.cell_type)) {
    return check("cell_type", 'has to be "code", "markdown" or "raw"');
  }
  extraMembers(cell, isCode ? needed : [...needed, "attachments"], check, reasonsFor(cell, minor));

  const { id, metadata, source, attachments, outputs, execution_count } = cell;
  if (minor >= 5 && id !== undefined && !isValidId(id)) {
    check("id", "has to be 1 to 64 letters, digits, hyphens and underscores");
  }
  if (source !== undefined && !isText(source)) check("source", "has to be text or a list of lines");
  if (metadata !== undefined) validateCellMetadata(metadata, joined(cell.cell_type), minor, check);
  if (attachments !== undefined && !isCode) validateAttachments(attachments, check);
  if (!isCode) return;
  if (execution_count !== undefined && !isCount(execution_count)) {
    check("execution_count", "has to be a whole number from 0, or null");
  }
  if (outputs === undefined) return;
  if (!Array.isArray(outputs)) return check("outputs", "has to be a list");
  outputs.forEach((output, index) => {
    validateOutput(output, (at, message) => check(`outputs[${index}]${at === "" ? "" : `.${at}`}`, message));
  });
}

/** Why this cell may not have a member that other cells may have. */
function reasonsFor(cell: JsonObject, minor: number): Readonly<Record<string, string>> {
  const onlyCode = `is not allowed in a ${joined(cell.cell_type)} cell`;
  return {
    id: `is not allowed before nbformat 4.5, and this notebook is 4.${minor}`,
    outputs: onlyCode,
    execution_count: onlyCode,
    attachments: "is not allowed in a code cell",
  };
}

function validateCellMetadata(metadata: JsonValue, type: string, minor: number, check: Check): void {
  if (!isJsonObject(metadata)) return check("metadata", "has to be an object");
  const { name, tags, format, jupyter, collapsed, scrolled, execution } = metadata;
  if (name !== undefined && !(typeof name === "string" && /^.+$/m.test(name))) {
    check("metadata.name", "has to be text that is not empty");
  }
  if (tags !== undefined && !areTags(tags))
    check("metadata.tags", "has to be a list of different texts without commas");
  if (jupyter !== undefined && minor >= 3 && !isJsonObject(jupyter)) check("metadata.jupyter", "has to be an object");
  if (type === "raw" && format !== undefined && typeof format !== "string") check("metadata.format", "has to be text");
  if (type !== "code") return;
  if (collapsed !== undefined && typeof collapsed !== "boolean") check("metadata.collapsed", "has to be true or false");
  if (scrolled !== undefined && typeof scrolled !== "boolean" && scrolled !== "auto") {
    check("metadata.scrolled", 'has to be true, false or "auto"');
  }
  if (execution === undefined || minor < 4) return;
  const areTimes = isJsonObject(execution) && Object.values(execution).every((time) => typeof time === "string");
  if (!areTimes) check("metadata.execution", "has to be an object of texts");
}

function areTags(tags: JsonValue): boolean {
  return (
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === "string" && /^[^,]+$/.test(tag)) &&
    new Set(tags).size === tags.length
  );
}

function validateAttachments(attachments: JsonValue, check: Check): void {
  if (!isJsonObject(attachments)) return check("attachments", "has to be an object");
  for (const [file, bundle] of Object.entries(attachments)) validateBundle(bundle, `attachments.${file}`, check);
}
