import { z } from "zod";
import { cellTypes } from "../../notebook/cell.ts";
import type { CellAddress } from "../../notebook/edit/address.ts";
import type { InsertPlace, NotebookEdit, OldOutputs } from "../../notebook/edit/edit-action.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { explainProblem } from "../definition/input-problem.ts";

export const editActions = [
  ...["edit", "insert", "delete", "move", "replace"],
  ...["type", "clear", "split", "merge"],
] as NotebookEdit["action"][];

const fromZero = "cells count from 0, and -1 is not the last one; show lists them";

/** The fields of an edit, in a single call or as one of several. */
export const editFields = {
  cell_index: z.number().int().min(0, fromZero).optional().describe("from 0"),
  cell_id: z.string().optional(),
  content: z.string().optional(),
  cell_type: z.enum(cellTypes).optional(),
  to: z.number().int().min(0, fromZero).optional(),
  old: z.string().optional(),
  new: z.string().optional(),
  all: z.boolean().optional(),
  line: z.number().int().min(1).optional(),
  count: z.number().int().min(2).optional(),
  clear_outputs: z.boolean().optional(),
};

const oneEdit = z.strictObject({ action: z.enum(editActions), ...editFields });

export type EditInput = z.output<typeof oneEdit>;

/** One of several edits, checked like a single call. */
export function parseEdit(given: unknown, index: number): EditInput {
  const checked = oneEdit.safeParse(given);
  if (checked.success) return checked.data;
  throw new GranaryError("input", `edits[${index}]: ${explainProblem(checked.error, given, oneEdit)}`);
}

export function toEdit(input: EditInput): NotebookEdit {
  const { action, content, cell_type: cellType } = input;
  const outputs: OldOutputs = input.clear_outputs ? "clear" : "keep";
  const needed = <T>(value: T | undefined, name: string): T => {
    if (value !== undefined) return value;
    throw new GranaryError("input", `"${action}" needs ${name}.`);
  };
  const cell = () => needed(addressOf(input), "cell_index or cell_id");
  switch (action) {
    case "edit":
      return { action, cell: cell(), content: needed(content, "content, the cell's new source"), outputs };
    case "insert":
      return {
        action,
        content: needed(content, "content, the cell's source"),
        ...placeOf(input),
        ...(cellType && { cellType }),
      };
    case "replace":
      return {
        action,
        cell: cell(),
        old: needed(input.old, "old"),
        new: needed(input.new, "new"),
        all: input.all ?? false,
        outputs,
      };
    case "delete":
      return { action, cell: cell() };
    case "move":
      return { action, cell: cell(), to: needed(input.to, "to") };
    case "type":
      return { action, cell: cell(), cellType: needed(cellType, "cell_type") };
    case "clear": {
      const address = addressOf(input);
      return address === undefined ? { action } : { action, cell: address };
    }
    case "split":
      return { action, cell: cell(), line: needed(input.line, "line, with which the second cell begins") };
    case "merge":
      return { action, cell: cell(), count: input.count ?? 2 };
  }
}

function addressOf({ cell_index: index, cell_id: id }: EditInput): CellAddress | undefined {
  if (index !== undefined && id !== undefined) throw new GranaryError("input", "Give one of cell_index and cell_id.");
  return id ?? index;
}

/** At an index, after a named cell, or at the end. */
function placeOf(input: EditInput): InsertPlace {
  const address = addressOf(input);
  if (typeof address === "string") return { after: address };
  return address === undefined ? {} : { at: address };
}
