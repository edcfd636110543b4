import type { CellAddress } from "../../../../notebook/edit/address.ts";
import { parseAddresses } from "../../../../notebook/edit/cell-addresses.ts";
import { UsageError } from "../../command/usage-error.ts";

/** The value of `--cells`; undefined without it. */
export function typedCells(typed: string | undefined): readonly CellAddress[] | undefined {
  return typed === undefined ? undefined : parseAddresses(typed, (problem) => new UsageError(`--cells: ${problem}`));
}
