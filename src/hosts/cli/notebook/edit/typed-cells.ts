import type { CellAddress } from "../../../../notebook/edit/address.ts";
import { parseAddresses } from "../../../../notebook/edit/cell-addresses.ts";
import { UsageError } from "../../command/usage-error.ts";

/** The values of every `--cells`; undefined without any. */
export function typedCells(typed: readonly string[] | undefined): readonly CellAddress[] | undefined {
  return typed?.flatMap((list) => parseAddresses(list, (problem) => new UsageError(`--cells: ${problem}`)));
}
