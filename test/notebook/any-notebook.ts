import fc from "fast-check";
import type { CellAddress } from "../../src/notebook/edit/address.ts";
import type { NotebookEdit } from "../../src/notebook/edit/edit-action.ts";
import { anyFormatting, anySketch, anyText, print, type Sketch } from "./any-json.ts";

/** Arbitrary notebooks: valid as far as the reader requires, in any formatting, with any content. */

const cellType = fc.constantFrom("code" as const, "markdown" as const, "raw" as const);

/** Source that could be mistaken for markers. */
export const anySource = (): fc.Arbitrary<string> =>
  fc.oneof(
    anyText(),
    fc
      .array(fc.oneof(anyText(), fc.constantFrom("# %% [code] cell:0", "# %%", "# \\%% x", "# \\\\%%", "x = 1", "")), {
        maxLength: 5,
      })
      .map((lines) => lines.join("\n")),
  );

const source = fc.oneof(anySource(), fc.array(anySource(), { maxLength: 3 }));
const metadata = fc.dictionary(anyText(), anySketch(), { maxKeys: 2 });

const cell = fc
  .record({
    cell_type: cellType,
    source,
    metadata,
    outputs: fc.array(anySketch(), { maxLength: 2 }),
    count: fc.option(fc.nat()),
  })
  .map(({ cell_type, source, metadata, outputs, count }): Record<string, Sketch> => {
    const rest = cell_type === "code" ? { execution_count: count, outputs } : {};
    return { cell_type, metadata, source, ...rest };
  });

export const anyNotebook = (): fc.Arbitrary<Buffer> =>
  fc
    .record({
      cells: fc.array(cell, { maxLength: 5 }),
      metadata,
      nbformat_minor: fc.constantFrom(0, 4, 5),
      cellsFirst: fc.boolean(),
      formatting: anyFormatting(),
      start: fc.constantFrom("", "\ufeff", "\n"),
      end: fc.constantFrom("", "\n", "\r\n \n"),
    })
    .map(({ cells, metadata, nbformat_minor, cellsFirst, formatting, start, end }) => {
      const numbered = nbformat_minor === 5 ? cells.map((cell, index) => ({ ...cell, id: `id-${index}` })) : cells;
      const rest = { metadata, nbformat: 4, nbformat_minor };
      const sketch = cellsFirst ? { cells: numbered, ...rest } : { ...rest, cells: numbered };
      return Buffer.from(start + print(sketch, formatting) + end);
    });

/** Edits that may fail: a failure must be reported and change nothing. */
export const anyEdit = (): fc.Arbitrary<NotebookEdit> => {
  const address: fc.Arbitrary<CellAddress> = fc.oneof(
    fc.nat(5),
    fc.nat(5).map((index) => `id-${index}`),
  );
  const outputs = fc.constantFrom("keep" as const, "clear" as const);
  return fc.oneof(
    fc.record({ action: fc.constant("edit" as const), cell: address, content: anySource(), outputs }),
    fc.record({ action: fc.constant("insert" as const), at: fc.nat(5), content: anySource(), cellType }),
    fc.record({ action: fc.constant("delete" as const), cell: address }),
    fc.record({ action: fc.constant("move" as const), cell: address, to: fc.nat(5) }),
    fc.record({
      action: fc.constant("replace" as const),
      cell: address,
      old: fc.constantFrom("a", "x = 1", "\n"),
      new: anyText(),
      all: fc.boolean(),
      outputs,
    }),
    fc.record({ action: fc.constant("type" as const), cell: address, cellType }),
    fc.record({ action: fc.constant("clear" as const), cell: address }),
    fc.constant({ action: "clear" as const }),
    fc.record({ action: fc.constant("split" as const), cell: address, line: fc.nat(4) }),
    fc.record({ action: fc.constant("merge" as const), cell: address }),
  );
};
