import fc from "fast-check";
import { expect, test } from "vitest";
import type { CellHead, PageOutput } from "../../../src/hosts/page/api/cells.ts";
import type { SessionEvent } from "../../../src/hosts/page/api/events.ts";
import { appendText, keptCharacters, noText } from "../../../src/hosts/page/api/long-text.ts";
import { CellRecord } from "../../../src/hosts/page/feed/cell-record.ts";

const head: CellHead = {
  ...{ id: "run-1", by: "claude", code: "x", title: null, state: "running", startedAt: 1, durationMs: null },
  ...{ count: null, generation: 1, undone: null, notice: null, question: null, artifact: null },
};

/** As the browser applies them. */
function applied(events: readonly SessionEvent[]): readonly PageOutput[] {
  const outputs: PageOutput[] = [];
  for (const event of events) {
    if (event.type === "clear") outputs.length = 0;
    if (event.type === "output") outputs[event.at] = event.output;
    if (event.type !== "text") continue;
    const before = outputs[event.at];
    outputs[event.at] = appendText(before?.kind === "text" ? before : noText(event.stream), event.text, event.skipped);
  }
  return outputs;
}

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom("\n", "\r", "10%\r", "\r 45%|###  |", "\u001b[31mred\u001b[0m", "\u001b[A", "done\n"),
  fc.integer({ min: 1, max: 3 }).map((times) => "0123456789".repeat(times * 6000)),
);
const stream = fc.constantFrom("stdout" as const, "stderr" as const);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant("print" as const), stream, text) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("flush" as const)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("show" as const), fc.constantFrom("a", "b"), fc.boolean()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("clear" as const), fc.boolean()) },
);

test("a browser that follows a cell shows the same as one that opens it afterwards", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const record = new CellRecord(head);
      const events = steps.flatMap((each): readonly SessionEvent[] => {
        if (each[0] === "print") return record.print(each[1], each[2]);
        if (each[0] === "flush") return record.flush();
        if (each[0] === "clear") return record.clear(each[1]);
        const [, displayId, update] = each;
        const data = { "text/plain": displayId };
        return record.show({ type: "display", data, metadata: {}, displayId, update });
      });
      expect(applied([...events, ...record.flush()])).toEqual(record.cell.outputs);
      for (const output of record.cell.outputs) {
        if (output.kind === "text") expect(output.text.length).toBeLessThanOrEqual(2 * keptCharacters);
      }
    }),
    { numRuns: 150 },
  );
});

test("a long text keeps its beginning and its end, and says how much is between them", () => {
  let output = noText("stdout");
  for (let n = 0; n < 300; n++) output = appendText(output, `${String(n).padStart(999)}\n`);
  expect(output.text.length).toBe(2 * keptCharacters);
  expect(output.omitted).toEqual({ at: keptCharacters, characters: 100_000 });
  expect(output.text.startsWith(`${"0".padStart(999)}\n`)).toBe(true);
  expect(output.text.endsWith("299\n")).toBe(true);
});

test("a progress bar that writes its line a million times takes the room of two lines", () => {
  let output = noText("stderr");
  for (let n = 0; n < 10_000; n++) output = appendText(output, `\r${n} of 10000`);
  expect(output).toMatchObject({ text: "\r9998 of 10000\r9999 of 10000".slice(1), omitted: null });
});
