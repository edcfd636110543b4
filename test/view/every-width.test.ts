import { visibleWidth as widthInPi } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ShownPart } from "../../src/output/capture.ts";
import type { JsonValue } from "../../src/support/json/value.ts";
import { renderInteractive } from "../../src/view/interactive.ts";
import { renderResult } from "../../src/view/render-result.ts";
import { repetitions } from "../environment/variants.ts";
import { unicodeText } from "../unicode-text.ts";
import { bash, call, cell, result, view } from "./samples.ts";
import { cellsOf } from "./screen.ts";

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 30 }),
      unicodeText({ maxLength: 10 }),
      fc.constantFrom(
        "\n",
        "\t",
        "日本語の長い文章",
        "👩‍🚀👍🏽🇩🇪",
        "e\u0301",
        "a-word-that-has-no-end-".repeat(8),
        "\u001b[31m",
      ),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));
const anyName = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const anyPart: fc.Arbitrary<ShownPart> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map((value) => ({ type: "json" as const, value: value as JsonValue })),
  fc.record({
    type: fc.constant("status" as const),
    event: fc.record({ op: anyName, path: anyText, count: fc.nat() }),
  }),
);
const anyCell = fc
  .record({
    code: anyText,
    title: fc.option(anyName),
    output: anyText,
    notices: fc.array(anyText, { maxLength: 2 }),
    parts: fc.array(anyPart, { maxLength: 4 }),
    status: fc.constantFrom(
      "pending",
      "running",
      "complete",
      "error",
      "cancelled",
      "skipped",
    ) as fc.Arbitrary<"running">,
    error: fc.option(fc.record({ name: anyName, message: anyText })),
  })
  .map(cell);
const anyWidth = fc.oneof(fc.integer({ min: 20, max: 300 }), fc.integer({ min: 20, max: 40 }));

test("any cell fits every width from 20 to 300", () => {
  fc.assert(
    fc.property(fc.array(anyCell, { minLength: 1, maxLength: 3 }), anyWidth, fc.boolean(), (cells, width, expanded) => {
      const options = view({ width, expanded, now: 2_000_000 });
      const message = cells[0]?.output ?? null;
      const lines = [
        ...renderResult("python", result(call(cells, { failed: 0, message })), options),
        ...cells.flatMap((each) => renderInteractive({ ...each }, options)),
      ];
      for (const line of lines) expect(widthInPi(line)).toBeLessThanOrEqual(width);
    }),
    { numRuns: repetitions(60) },
  );
});

test("so does everything else", () => {
  fc.assert(
    fc.property(anyText, anyName, anyWidth, fc.boolean(), (text, path, width, expanded) => {
      const options = view({ width, expanded });
      const edit = { action: "edit", cellIndex: 1, cellId: path, totalCells: 3, outputsAreStale: true, path };
      const executions = [{ id: path, session: path, title: null, code: text, status: text, tail: text }];
      const lines = [
        ...renderResult("bash", result(bash({ command: text, output: text, notices: [text] })), options),
        ...renderResult(
          "read",
          result({ path, form: "text", text, firstLine: 1, totalLines: 9, truncation: null }),
          options,
        ),
        ...renderResult("edit", result({ path, replacements: 1, diff: text }), options),
        ...renderResult("write", result({ path, created: true, bytes: 1, lines: 1, text }), options),
        ...renderResult("notebook", result({ ...edit, cellType: "code", cellSource: text }), options),
        ...renderResult("notebook", result({ ...edit, cellType: "markdown", cellSource: text }), options),
        ...renderResult("executions", result({ executions }), options),
        ...renderResult("other", result(null, { text }), options),
        ...renderResult("python", result(null, { text: `Error: ${text}`, isError: true }), options),
      ];
      for (const line of lines) expect(widthInPi(line)).toBeLessThanOrEqual(width);
    }),
    { numRuns: repetitions(60) },
  );
});

test("a terminal shows as many rows as there are lines", async () => {
  // Terminals disagree about flags and similar characters, so those are left out.
  const words = fc.constantFrom(
    "words and more words",
    "\n",
    "\t",
    "日本語の長い文章",
    "é e\u0301",
    "x".repeat(90),
    "  ",
  );
  const text = fc.array(words, { maxLength: 10 }).map((pieces) => pieces.join(""));
  await fc.assert(
    fc.asyncProperty(text, text, text, fc.integer({ min: 20, max: 120 }), async (code, output, title, width) => {
      const lines = renderResult(
        "python",
        result(call([cell({ code, output, title, notices: [title] })])),
        view({ width }),
      );
      const rows = await cellsOf([...lines, "the end"], width);
      expect(rows[lines.length]?.map(({ characters }) => characters).join("")).toBe("the end");
    }),
    { numRuns: repetitions(30) },
  );
});
