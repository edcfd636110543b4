import { z } from "zod";
import type { CellAddress } from "../../notebook/edit/address.ts";
import { parseAddresses } from "../../notebook/edit/cell-addresses.ts";
import { GranaryError } from "../../support/granary-error.ts";

export const fromZero = "cells count from 0, and -1 is not the last one; show lists them";
const index = z.number().int().min(0, fromZero);

/** The ways to name cells. Models see only `cells`; the others are those of earlier versions. */
export const cellFields = {
  cells: z
    .union([index, z.string(), z.array(z.union([index, z.string()]))], {
      error: "expected cells such as 3, 0-3,7 or an id",
    })
    .optional()
    .meta({ type: "string", description: "indexes from 0, or ids: 0-3,7" }),
  cell_index: index.optional().meta({ hidden: true }),
  cell_id: z.string().optional().meta({ hidden: true }),
};

type CellInput = z.output<z.ZodObject<typeof cellFields>>;

export interface ChosenCells {
  readonly cells?: CellAddress[];
  /** The beginning of a range without an end: `5-`. */
  readonly from?: CellAddress;
}

/** The cells that a call names; neither when it names none. */
export function chosenCells({ cells, cell_index: byIndex, cell_id: byId }: CellInput): ChosenCells {
  const given = [cells, byIndex, byId].filter((each) => each !== undefined);
  if (given.length > 1)
    throw new GranaryError("input", "Name the cells in one way: with cells, cell_index or cell_id.");
  const [named] = given;
  if (named === undefined) return {};
  if (named === byId || typeof named === "number") return { cells: [named as CellAddress] };
  if (typeof named !== "string") return { cells: named };
  const openRange = /^\s*(\d+)-\s*$/.exec(named);
  if (openRange !== null) return { from: Number(openRange[1]) };
  return { cells: [...parseAddresses(named, (problem) => new GranaryError("input", `cells: ${problem}`))] };
}
