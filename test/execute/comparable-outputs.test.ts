import { describe, expect, test } from "vitest";
import { comparableOutputs, outputDifference } from "../../src/execute/notebook/verify/comparable-outputs.ts";
import { comparableText } from "../../src/execute/notebook/verify/comparable-text.ts";
import type { NotebookCell } from "../../src/notebook/cell.ts";
import type { JsonValue } from "../../src/support/json/value.ts";
import { code, notebookOf, printed } from "../notebook/notebooks.ts";

const cellWith = (...outputs: JsonValue[]) => notebookOf([code("x", { outputs })]).cells[0] as NotebookCell;
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
    ["the repr of a time", "datetime.datetime(2024, 1, 2, 3, 4)", "datetime.datetime(2026, 11, 16, 10, 20, 30, 5)"],
    ["time.time()", "at 1763377001.5412", "at 1763399999.1"],
    ["elapsed times", "Elapsed: 0.532, took 12", "Elapsed: 1.7e-05, took 3"],
    ["the rate of a progress bar", "50/50 [00:01<00:00, 48.3it/s]", "50/50 [00:00<00:00, 5012.77it/s]"],
    ["the order of a set", "{'b', 'a'} {(2, 'y'), (1, 'x')}", "{'a', 'b'} {(1, 'x'), (2, 'y')}"],
    ["the ids of a styled table", "#T_1a2b3_row0 {} <a id=T_1a2b3>", "#T_00fff_row0 {} <a id=T_00fff>"],
    [
      "the file of a cell in a warning of Jupyter's",
      "/tmp/ipykernel_4242/2747763117.py:1: UserWarning: mind",
      "<cell 2>:1: UserWarning: mind",
    ],
    [
      "the same on macOS",
      "/var/folders/zz/yy_1/T/ipykernel_42/27.py:1: UserWarning: mind",
      "<cell 2>:1: UserWarning: mind",
    ],
    ["the same in an old notebook", "<ipython-input-3-8f2c1a>:1: UserWarning", "<cell 2>:1: UserWarning"],
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

  const failure = (ename: string, evalue: string) => ({ output_type: "error", ename, evalue, traceback: [] });

  test("the file in a SyntaxError, but not its line", () => {
    const stored = cellWith(failure("SyntaxError", "invalid syntax (2747763117.py, line 1)"));
    const error = (line: number) => cellWith(failure("SyntaxError", `invalid syntax (<cell 1>, line ${line})`));
    expect(outputDifference(stored, error(1))).toBeNull();
    expect(outputDifference(stored, error(2))).not.toBeNull();
  });

  test("whether the same bundle is a display or the result", () => {
    const { execution_count: _, ...bundle } = result("a figure", 1);
    const displayed = cellWith({ ...bundle, output_type: "display_data" });
    expect(outputDifference(displayed, cellWith(result("a figure", 1)))).toBeNull();
    expect(outputDifference(displayed, cellWith(result("another", 1)))).not.toBeNull();
  });

  test("how Jupyter and Granary name a failed %%bash, but not its exit code", () => {
    const command = "Command 'b'echo \\'a\\'\\nexit 3\\n'' returned non-zero exit status";
    const stored = cellWith(failure("CalledProcessError", `${command} 3.`));
    const ended = (code: number) => cellWith(failure("CommandFailed", `%%bash ended with exit code ${code}`));
    expect(outputDifference(stored, ended(3))).toBeNull();
    expect(outputDifference(stored, ended(4))).not.toBeNull();
    expect(outputDifference(stored, cellWith(failure("ValueError", `${command} 3.`)))).not.toBeNull();
  });

  test("the durations after half a million numbers, which are not tried again from each of them", () => {
    const numbers = Array.from({ length: 500_000 }, (_, index) => index).join();
    expect(comparableText(`${numbers} then 3 ms`)).toBe(`${numbers} then …duration…`);
  });

  test("the steps of a progress bar", () => {
    expect(outputDifference(cellWith(printed("10%\r50%\r100%\n")), cellWith(printed("30%\r100%\n")))).toBeNull();
  });
});

describe("a difference is reported with the first different line", () => {
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

test("a table is compared cell by cell, without pandas' markup", () => {
  const frame = (html: string, text: string) =>
    cellWith({
      output_type: "execute_result",
      data: { "text/html": html, "text/plain": text },
      metadata: {},
      execution_count: 1,
    });
  const row = (value: number) => `<tr><th>0</th><td>${value}</td></tr>`;
  const old = frame(`<div><style scoped>.x{}</style><table border="1">${row(7)}</table></div>`, "   x\n0  7");
  const styled = frame(`<table class="dataframe">\n ${row(7)}\n</table>`, "  x\n0 7");
  const other = frame(`<table class="dataframe">${row(8)}</table>`, "  x\n0 8");
  expect(outputDifference(old, styled)).toBeNull();
  expect(outputDifference(old, other)).toEqual({ was: expect.stringContaining("7"), is: expect.stringContaining("8") });
});

test("id() may return another number, and only where the cell calls it", () => {
  const asking = (source: string, text: string) =>
    notebookOf([code(source, { outputs: [printed(text)] })]).cells[0] as NotebookCell;
  expect(outputDifference(asking("id(x)", "140212345678"), asking("id(x)", "140219999999"))).toBeNull();
  expect(outputDifference(asking("x", "140212345678"), asking("x", "140219999999"))).not.toBeNull();
});

test("differences that the user ignores are not compared", () => {
  const [one, other] = [cellWith(printed("seed 17\nsum 3\n")), cellWith(printed("seed 99\nsum 3\n"))];
  expect(outputDifference(one, other)).not.toBeNull();
  expect(outputDifference(one, other, [/seed \d+/g])).toBeNull();
  expect(outputDifference(one, other, [/z*/g])).toEqual({ was: "stdout: seed 17", is: "stdout: seed 99" });
});

test("the order of a dict counts", () => {
  expect(comparableText("{'b': {2, 1}, 'a': 0}")).toBe("{'b': {1, 2}, 'a': 0}");
  expect(comparableText("{'b', {'a'")).toBe("{'b', {'a'");
});

test("numbers without a unit are never left out", () => {
  const outputs = [{ output_type: "stream", name: "stdout", text: "3.14 of 100 s3 12 sheep\n" }] as const;
  expect(comparableOutputs(outputs)).toEqual(["stdout: 3.14 of 100 s3 12 sheep"]);
});
