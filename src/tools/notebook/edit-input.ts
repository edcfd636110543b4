import { z } from "zod";
import { cellTypes } from "../../notebook/cell.ts";
import type { CellAddress } from "../../notebook/edit/address.ts";
import type { InsertPlace, NotebookEdit, OldOutputs } from "../../notebook/edit/edit-action.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { explainProblem } from "../definition/input-problem.ts";
import { cellFields, chosenCells, fromZero } from "./chosen-cells.ts";

export const editActions = [
  ...["edit", "insert", "delete", "move", "replace"],
  ...["type", "clear", "split", "merge"],
] as NotebookEdit["action"][];

/** The fields of an edit, in a single call or as one of several. */
export const editFields = {
  ...cellFields,
  content: z.string().optional(),
  cell_type: z.enum(cellTypes).optional(),
  to: z.number().int().min(0, fromZero).optional(),
  old: z.string().optional(),
  new: z.string().optional(),
  all: z.boolean().optional(),
  line: z.number().int().min(1).optional(),
  count: z.number().int().min(2).optional().meta({ hidden: true }),
  clear_outputs: z.boolean().optional().meta({ hidden: true }),
};

const oneEdit = z.strictObject({ action: z.enum(editActions), ...editFields });

export type EditInput = z.output<typeof oneEdit>;

/** One of several edits, checked like a single call. */
export function parseEdit(given: unknown, index: number): EditInput {
  const checked = oneEdit.safeParse(given);
  if (checked.success) return checked.data;
  throw new GranaryError("input", `edits[${index}]: ${explainProblem(checked.error, given, oneEdit)}`);
}

/** The edits of one call: `delete` and `clear` take several cells. */
export function toEdits(input: EditInput): readonly NotebookEdit[] {
  const { action, content, cell_type: cellType } = input;
  const outputs: OldOutputs = input.clear_outputs ? "clear" : "keep";
  const needed = <T>(value: T | undefined, name: string): T => {
    if (value !== undefined) return value;
    throw new GranaryError("input", `"${action}" needs ${name}.`);
  };
  const cells = () => needed(addressesOf(input), "cells, by index or id");
  const cell = () => onlyOne(cells(), action);
  switch (action) {
    case "edit":
      return [{ action, cell: cell(), content: needed(content, "content, the cell's new source"), outputs }];
    case "insert":
      return [
        {
          action,
          content: needed(content, "content, the cell's source"),
          ...placeOf(input),
          ...(cellType && { cellType }),
        },
      ];
    case "replace":
      return [
        {
          action,
          cell: cell(),
          old: needed(input.old, "old"),
          new: needed(input.new, "new"),
          all: input.all ?? false,
          outputs,
        },
      ];
    case "delete":
      return lastFirst(cells()).map((each) => ({ action, cell: each }));
    case "move":
      return [{ action, cell: cell(), to: needed(input.to, "to") }];
    case "type":
      return [{ action, cell: cell(), cellType: needed(cellType, "cell_type") }];
    case "clear":
      return addressesOf(input)?.map((each) => ({ action, cell: each })) ?? [{ action }];
    case "split":
      return [{ action, cell: cell(), line: needed(input.line, "line, with which the second cell begins") }];
    case "merge":
      return [{ action, ...toMerge(cells(), input.count) }];
  }
}

function addressesOf(input: EditInput): readonly CellAddress[] | undefined {
  const { cells, from } = chosenCells(input);
  if (from === undefined) return cells;
  throw new GranaryError(
    "input",
    `"${input.action}" needs the last cell of the range, as in ${from}-${Number(from) + 2}.`,
  );
}

function onlyOne(cells: readonly CellAddress[], action: string): CellAddress {
  if (cells.length === 1) return cells[0] as CellAddress;
  throw new GranaryError("input", `"${action}" takes one cell; for several, use batch.`);
}

/** A deleted cell changes the indexes of those after it. */
function lastFirst(cells: readonly CellAddress[]): readonly CellAddress[] {
  const indexes = [...new Set(cells)].filter((cell) => typeof cell === "number").sort((a, b) => b - a);
  return [...indexes, ...new Set(cells.filter((cell) => typeof cell === "string"))];
}

/** `2-4` merges three cells, `2` as many as `count` says, from there on. */
function toMerge(cells: readonly CellAddress[], count = 2): { readonly cell: CellAddress; readonly count: number } {
  const [first] = cells;
  if (first === undefined || cells.length === 1) return { cell: onlyOne(cells, "merge"), count };
  const isRange = typeof first === "number" && cells.every((cell, index) => cell === first + index);
  if (isRange) return { cell: first, count: cells.length };
  throw new GranaryError("input", '"merge" takes cells that follow each other, as in 2-4.');
}

/** At an index, after a named cell, or at the end. */
function placeOf(input: EditInput): InsertPlace {
  const cells = addressesOf(input);
  if (cells === undefined) return {};
  const address = onlyOne(cells, "insert");
  return typeof address === "string" ? { after: address } : { at: address };
}
