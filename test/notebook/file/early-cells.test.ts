import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { type Notebook, notebookBytes } from "../../../src/notebook/notebook.ts";
import { CellScan } from "../../../src/notebook/parse/cell-scan.ts";
import { EarlyCells } from "../../../src/notebook/parse/early-cells.ts";
import { parseNotebook, parseWithEarlyCells } from "../../../src/notebook/parse/parse-notebook.ts";
import { isGranaryError } from "../../../src/support/granary-error.ts";
import { repetitions } from "../../environment/variants.ts";
import { anyNotebook } from "../any-notebook.ts";
import { anyByteDamage, withDamage } from "../byte-damage.ts";
import { fixture, fixtures } from "../notebooks.ts";

describe("a notebook scanned while its file is being read", () => {
  test("gives the same result for any borders, any damage and any bytes in memory before", () => {
    const file = fc.tuple(anyNotebook(), fc.option(anyByteDamage()), fc.boolean());
    fc.assert(
      fc.property(file, anyBorders(), anyByteDamage(), ([notebook, damage, isPadded], borders, stale) => {
        // Long enough for the comparison of eight bytes at a time.
        const padded = isPadded ? Buffer.concat([Buffer.alloc(5000, " "), notebook]) : notebook;
        const bytes = damage === null ? padded : withDamage(padded, damage);
        expect(outcome(() => arriving(bytes, borders, withDamage(bytes, stale)))).toEqual(outcome(() => whole(bytes)));
      }),
      { numRuns: repetitions(500) },
    );
  });

  test.each(fixtures)("gives the same result with a border in any place of %s", (name) => {
    const bytes = fixture(name);
    const expected = outcome(() => whole(bytes));
    const step = Math.ceil(bytes.length / 400);
    for (let border = 1; border < bytes.length; border += step) {
      expect(outcome(() => arriving(bytes, [border / bytes.length], bytes.toReversed()))).toEqual(expected);
    }
  });

  test("is scanned up to its last complete cell", () => {
    const cells = ["a", "é", "c"].map((source) => ({ cell_type: "raw", metadata: {}, source }));
    const bytes = Buffer.from(JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 }));
    const early = new EarlyCells(bytes);
    early.advance(bytes.indexOf('"c"'));
    expect(bytes.toString("utf8", 0, early.checked).endsWith('"source":"é"}')).toBe(true);
    expect(early.listAt(bytes.indexOf("["))?.cells).toHaveLength(2);
  });

  test("is refused when a cell that arrived early is not UTF-8", () => {
    const bytes = Buffer.from('{"cells":[{"cell_type":"raw","source":"?"}],"nbformat":4}');
    bytes[bytes.indexOf("?")] = 0xff;
    const early = new EarlyCells(bytes);
    early.advance(bytes.indexOf("nbformat"));
    expect(early.listAt(bytes.indexOf("["))?.cells).toHaveLength(1);
    expect(() => parseWithEarlyCells(bytes, "a.ipynb", early)).toThrow("UTF-8");
  });

  test("leaves a number to the parser that sees its end", () => {
    const bytes = Buffer.from('{"cells":[123]}');
    const early = new EarlyCells(bytes);
    early.advance(bytes.indexOf("23"));
    expect(() => parseWithEarlyCells(bytes, "a.ipynb", early)).toThrow("Cell 0 of a.ipynb is not an object");
  });

  test("is not scanned again for each part of one very long cell", () => {
    const cells = [{ cell_type: "raw", metadata: {}, source: "x".repeat(1_000_000) }];
    const bytes = Buffer.from(JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 }));
    const early = new EarlyCells(bytes);
    const read = vi.spyOn(CellScan.prototype, "read");
    try {
      for (let arrived = 1000; arrived < bytes.length; arrived += 1000) early.advance(arrived);
      expect(read.mock.calls.length).toBeLessThan(13);
    } finally {
      read.mockRestore();
    }
  });
});

/** As shares of the length. */
const anyBorders = () => fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });

function whole(bytes: Buffer): Notebook {
  return parseNotebook(bytes, "a.ipynb");
}

/** @param stale the content of the memory before */
function arriving(bytes: Buffer, borders: readonly number[], stale: Uint8Array): Notebook {
  const memory = Buffer.alloc(bytes.length);
  memory.set(stale.subarray(0, bytes.length));
  const early = new EarlyCells(memory);
  for (const border of borders.toSorted((one, other) => one - other)) {
    const arrived = Math.floor(border * bytes.length);
    bytes.copy(memory, 0, 0, arrived);
    early.advance(arrived);
  }
  bytes.copy(memory);
  return parseWithEarlyCells(memory, "a.ipynb", early);
}

/** All parts of a notebook, with the positions of all members; or its error. */
function outcome(parse: () => Notebook): unknown {
  try {
    const notebook = parse();
    const cells = notebook.cells.map(({ json }) => ({
      from: json.start,
      to: json.end,
      members: Array.from({ length: json.size }, (_, index) => json.spanAt(index)),
    }));
    const leads = notebook.leads.map(String);
    return { bytes: String(notebookBytes(notebook)), style: notebook.style, end: String(notebook.end), leads, cells };
  } catch (error) {
    if (!isGranaryError(error)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
}
