import { describe, expect, test } from "vitest";
import { comparableOutputs, comparableText, outputDifference } from "../../src/execute/notebook/comparable-outputs.ts";
import type { Cell } from "../../src/notebook/cell.ts";
import type { JsonValue } from "../../src/notebook/json/parse.ts";
import { code, notebookOf, printed } from "../notebook/notebooks.ts";

const cellWith = (...outputs: JsonValue[]) => notebookOf([code("x", { outputs })]).cells[0] as Cell;
const result = (text: string, count: number) => ({
  output_type: "execute_result",
  data: { "text/plain": text },
  metadata: {},
  execution_count: count,
});

describe("two runs that did the same show the same, although they differ in", () => {
  test.each([
    ["addresses", "<object at 0x7f00deadbeef>", "<object at 0x7fffcafe1234>"],
    ["durations", "Wall time: 1.21 ms, 3 s", "Wall time: 972.5 µs, 12 s"],
    ["dates and times", "2024-01-02 03:04:05.678 done", "2026-11-16T10:20:30Z done"],
    ["times of day", "started 09:08:07", "started 23:59:59.5"],
    ["temporary folders", "saved /tmp/tmpab12/x.csv", "saved /var/folders/zz/yy/T/tmp9/x.csv"],
    ["random ids", "id 0b8a4c1e-1111-4222-8333-123456789abc", "id 9f8a4c1e-1111-4222-8333-123456789abd"],
  ])("%s", (_what, one, other) => {
    expect(comparableText(one)).toBe(comparableText(other));
    expect(outputDifference(cellWith(printed(one)), cellWith(printed(other)))).toBeNull();
  });

  test("prompt numbers, how text is cut into pieces, and tracebacks", () => {
    expect(outputDifference(cellWith(result("42", 1)), cellWith(result("42", 7)))).toBeNull();
    expect(outputDifference(cellWith(printed("a\n"), printed("b\n")), cellWith(printed("a\nb\n")))).toBeNull();
    const error = (traceback: string[]) => ({ output_type: "error", ename: "E", evalue: "no", traceback });
    expect(outputDifference(cellWith(error(["\u001b[31mE"])), cellWith(error(["line 1", "E: no"])))).toBeNull();
  });

  test("the durations after half a million numbers, which are not tried again from each of them", () => {
    const numbers = Array.from({ length: 500_000 }, (_, index) => index).join();
    expect(comparableText(`${numbers} then 3 ms`)).toBe(`${numbers} then …duration…`);
  });

  test("the steps of a progress bar", () => {
    expect(outputDifference(cellWith(printed("10%\r50%\r100%\n")), cellWith(printed("30%\r100%\n")))).toBeNull();
  });
});

describe("a difference is told with the first line that is another", () => {
  test.each([
    ["another text", [printed("a\nb\n")], [printed("a\nc\n")], { was: "b", is: "c" }],
    ["more", [printed("a\n")], [printed("a\nb\n")], { was: null, is: "b" }],
    ["nothing any more", [printed("a\n")], [], { was: "stdout: a", is: null }],
    [
      "another number",
      [result("42", 1)],
      [result("43", 1)],
      { was: "result: text/plain 42", is: "result: text/plain 43" },
    ],
  ])("%s", (_what, before, after, difference) => {
    expect(outputDifference(cellWith(...before), cellWith(...after))).toEqual(difference);
  });
});

test("numbers without a unit are never left out", () => {
  const outputs = [{ output_type: "stream", name: "stdout", text: "3.14 of 100 s3 12 sheep\n" }] as const;
  expect(comparableOutputs(outputs)).toEqual(["stdout: 3.14 of 100 s3 12 sheep"]);
});
