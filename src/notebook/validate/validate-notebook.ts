import { isJsonObject } from "../../support/json/parse.ts";
import type { JsonObject, JsonValue } from "../../support/json/value.ts";
import { frameOrder, type Notebook, nbformatMinor } from "../notebook.ts";
import { type Check, extraMembers, isWhole, missingMembers } from "./checks.ts";
import { validateCell } from "./validate-cell.ts";

/** A violation of nbformat. */
export interface NotebookProblem {
  /** Its place, as in `cells[3].metadata.tags`; empty for the notebook as a whole. */
  readonly at: string;
  readonly message: string;
  readonly cellIndex: number | null;
}

/** All violations of the notebook's own version of nbformat; empty when it is valid. */
export function validateNotebook(notebook: Notebook): NotebookProblem[] {
  const problems: NotebookProblem[] = [];
  const minor = nbformatMinor(notebook);
  validateFrame(notebook, (at, message) => problems.push({ at, message, cellIndex: null }));

  const seen = new Map<string, number>();
  notebook.cells.forEach((cell, index) => {
    const check: Check = (at, message) =>
      problems.push({ at: `cells[${index}]${at === "" ? "" : `.${at}`}`, message, cellIndex: index });
    const members = Object.fromEntries(cell.json.keys.map((key) => [key, cell.json.get(key) as JsonValue]));
    validateCell(members, minor, check);
    const { id } = cell;
    if (minor < 5 || id === null) return;
    const other = seen.get(id);
    if (other !== undefined) check("id", `is "${id}", also the id of cell ${other}`);
    seen.set(id, index);
  });
  return problems;
}

function validateFrame({ frame }: Notebook, check: Check): void {
  const members = Object.fromEntries(frame.keys.map((key) => [key, frame.get(key) as JsonValue]));
  missingMembers(members, frameOrder, check);
  extraMembers(members, frameOrder, check);
  const { nbformat, nbformat_minor, metadata } = members;
  if (nbformat !== undefined && nbformat !== 4) check("nbformat", "has to be 4");
  if (nbformat_minor !== undefined && !isWhole(nbformat_minor))
    check("nbformat_minor", "has to be a whole number from 0");
  if (metadata === undefined) return;
  if (!isJsonObject(metadata)) check("metadata", "has to be an object");
  else validateNotebookMetadata(metadata, Number(nbformat_minor), check);
}

function validateNotebookMetadata(metadata: JsonObject, minor: number, check: Check): void {
  const { kernelspec, language_info, orig_nbformat, title, authors } = metadata;
  needTexts(kernelspec, "metadata.kernelspec", ["name", "display_name"], [], check);
  const optional = ["file_extension", "mimetype", "pygments_lexer"];
  needTexts(language_info, "metadata.language_info", ["name"], optional, check);
  const mode = isJsonObject(language_info) ? language_info.codemirror_mode : undefined;
  if (mode !== undefined && typeof mode !== "string" && !isJsonObject(mode)) {
    check("metadata.language_info.codemirror_mode", "has to be text or an object");
  }
  if (orig_nbformat !== undefined && !(isWhole(orig_nbformat) && Number(orig_nbformat) >= 1)) {
    check("metadata.orig_nbformat", "has to be a whole number from 1");
  }
  if (minor < 2) return;
  if (title !== undefined && typeof title !== "string") check("metadata.title", "has to be text");
  if (authors !== undefined && !Array.isArray(authors)) check("metadata.authors", "has to be a list");
}

/** Validates an object, where present, whose members of these names are texts. */
function needTexts(
  value: JsonValue | undefined,
  at: string,
  needed: readonly string[],
  optional: readonly string[],
  check: Check,
): void {
  if (value === undefined) return;
  if (!isJsonObject(value)) return check(at, "has to be an object");
  for (const key of [...needed, ...optional]) {
    const isMissing = value[key] === undefined;
    if (isMissing && needed.includes(key)) check(`${at}.${key}`, "is missing");
    if (!isMissing && typeof value[key] !== "string") check(`${at}.${key}`, "has to be text");
  }
}
