import type { NotebookEdit } from "../../../src/notebook/edit/edit-action.ts";

/** The edits on parsed JSON, without regard for bytes: the reference for the real ones. */

type Member = unknown;
type ModelCell = Record<string, Member>;
export interface ModelNotebook {
  cells: ModelCell[];
  nbformat_minor: number;
  [key: string]: Member;
}

export function applyToModel(notebook: ModelNotebook, edit: NotebookEdit, newId: () => string): void {
  const { cells } = notebook;
  switch (edit.action) {
    case "edit":
      return rewrite(at(notebook, edit.cell), edit.content, edit.outputs);
    case "replace": {
      const cell = at(notebook, edit.cell);
      return rewrite(cell, textOf(cell).split(edit.old).join(edit.new), edit.outputs);
    }
    case "insert": {
      const index = "at" in edit ? (edit.at ?? cells.length) : cells.length;
      cells.splice(index, 0, fresh(notebook, edit.cellType ?? "code", edit.content, newId));
      return;
    }
    case "delete":
      cells.splice(cells.indexOf(at(notebook, edit.cell)), 1);
      return;
    case "move": {
      const cell = at(notebook, edit.cell);
      cells.splice(cells.indexOf(cell), 1);
      cells.splice(edit.to, 0, cell);
      return;
    }
    case "type":
      return retype(at(notebook, edit.cell), edit.cellType);
    case "clear":
      for (const cell of edit.cell === undefined ? cells : [at(notebook, edit.cell)]) clear(cell);
      return;
    case "split": {
      const cell = at(notebook, edit.cell);
      const lines = textOf(cell).split("\n");
      const second = fresh(notebook, cell.cell_type as string, lines.slice(edit.line - 1).join("\n"), newId);
      cells.splice(cells.indexOf(cell) + 1, 0, second);
      return rewrite(cell, lines.slice(0, edit.line - 1).join("\n"), "clear", true);
    }
    case "merge": {
      const cell = at(notebook, edit.cell);
      const [next] = cells.splice(cells.indexOf(cell) + 1, 1) as [ModelCell];
      return rewrite(cell, `${textOf(cell)}\n${textOf(next)}`, "clear", true);
    }
  }
}

/** Text is equal as one string or in lines; everything else is compared unchanged. */
export function withJoinedSources(notebook: ModelNotebook): ModelNotebook {
  return { ...notebook, cells: notebook.cells.map((cell) => ({ ...cell, source: textOf(cell) })) };
}

function at({ cells }: ModelNotebook, address: number | string): ModelCell {
  const cell = typeof address === "number" ? cells[address] : cells.find(({ id }) => id === address);
  return cell as ModelCell;
}

function textOf({ source }: ModelCell): string {
  return Array.isArray(source) ? source.join("") : (source as string);
}

function rewrite(cell: ModelCell, source: string, outputs: "keep" | "clear" = "keep", always = false): void {
  const isSame = textOf(cell) === source;
  if (!isSame) cell.source = source;
  if (outputs === "clear" && (always || !isSame)) clear(cell);
}

function clear(cell: ModelCell): void {
  if (cell.cell_type === "code") Object.assign(cell, { outputs: [], execution_count: null });
}

function retype(cell: ModelCell, type: string): void {
  if (cell.cell_type === type) return;
  cell.cell_type = type;
  if (type === "code") Object.assign(cell, { outputs: [], execution_count: null });
  else {
    delete cell.outputs;
    delete cell.execution_count;
  }
}

function fresh(notebook: ModelNotebook, type: string, source: string, newId: () => string): ModelCell {
  const cell: ModelCell = { cell_type: type, metadata: {}, source };
  if (notebook.nbformat_minor >= 5) cell.id = newId();
  if (type === "code") Object.assign(cell, { outputs: [], execution_count: null });
  return cell;
}
