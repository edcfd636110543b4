import type { NotebookCell } from "../../../notebook/cell.ts";
import { type MakeId, randomId, unusedIds } from "../../../notebook/edit/cell-id.ts";
import { withCellAt, withCellInserted } from "../../../notebook/edit/cell-list.ts";
import { withoutOutputs, withSource } from "../../../notebook/edit/change-cell.ts";
import { withCellMetadata } from "../../../notebook/edit/metadata.ts";
import { newCell } from "../../../notebook/edit/new-cell.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { deepestLiteral, type PythonValue, pythonLiteral } from "../../../python/python-literal.ts";
import { closest } from "../../../support/closest.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import { isTooDeep } from "../../../support/json/deep-json.ts";
import { assignedNames } from "./declared-parameters.ts";

export type NotebookParameters = Readonly<Record<string, PythonValue>>;

export const injectedTag = "injected-parameters";
const parametersTag = "parameters";

/**
 * The notebook with a cell that assigns the parameters, as papermill has it: in place of the one that an earlier run has
 * injected, else behind the cell with the tag `parameters`, which has the defaults, else at the top.
 */
export function withParameters(
  notebook: Notebook,
  parameters: NotebookParameters,
  makeId: MakeId = randomId,
): Notebook {
  const source = parameterSource(parameters);
  const earlier = notebook.cells.findIndex((cell) => cell.tags.includes(injectedTag));
  if (earlier !== -1) {
    const cell = notebook.cells[earlier] as NotebookCell;
    if (cell.source === source) return notebook;
    return withCellAt(notebook, earlier, withoutOutputs(notebook, withSource(notebook, cell, source)));
  }
  const defaults = notebook.cells.findIndex((cell) => cell.tags.includes(parametersTag));
  const cell = newCell(notebook, "code", source, unusedIds(notebook, makeId));
  return withCellInserted(notebook, defaults + 1, withCellMetadata(notebook, cell, { tags: [injectedTag] }));
}

/** The cell with the defaults; null when none is tagged. */
export function parametersCell({ cells }: Notebook): NotebookCell | null {
  return cells.find(({ tags }) => tags.includes(parametersTag)) ?? null;
}

/** Sentences about parameters that the notebook does not know. */
export function sayUnknown(notebook: Notebook, parameters: NotebookParameters): readonly string[] {
  const cell = parametersCell(notebook);
  if (cell === null) return [];
  const known = assignedNames(cell.source);
  const unknown = Object.keys(parameters).filter((name) => !known.has(name));
  return unknown.map((name) => {
    const similar = closest(name, [...known]);
    const hint = similar === null ? `It assigns: ${[...known].join(", ") || "nothing"}.` : `Did you mean ${similar}?`;
    return `Passed unknown parameter: ${name}. The cell with the tag "parameters" does not assign it. ${hint}`;
  });
}

export function hasParametersCell({ cells }: Notebook): boolean {
  return cells.some(({ tags }) => tags.includes(parametersTag) || tags.includes(injectedTag));
}

function parameterSource(parameters: NotebookParameters): string {
  const lines = Object.entries(parameters).map(([name, value]) => `${checkedName(name)} = ${literal(name, value)}`);
  return ["# Parameters", ...lines].join("\n");
}

function literal(name: string, value: PythonValue): string {
  if (!isTooDeep(value, deepestLiteral)) return pythonLiteral(value);
  const message = `${name} is nested more than ${deepestLiteral} levels deep, and Python cannot read that as code.`;
  throw new GranaryError("invalid-parameter", `${message} Write it to a file, and give its path.`);
}

function checkedName(name: string): string {
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !keywords.has(name)) return name;
  throw new GranaryError(
    "invalid-parameter",
    `${JSON.stringify(name)} cannot be a parameter: Python has no such variable names.`,
  );
}

const keywords = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global " +
    "if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);
