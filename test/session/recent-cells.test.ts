import { expect, test } from "vitest";
import { firstLineOf, RecentCells } from "../../src/session/recent-cells.ts";

test("a client learns of the cells that others ran since its last call, of the latest hundred", () => {
  const cells = new RecentCells();
  for (let number = 1; number <= 130; number++) cells.add(number % 2 === 0 ? "agent" : "console", "", `x = ${number}`);
  const since = (number: number) => cells.since(number, "agent").map((cell) => cell.number);
  expect(since(130)).toEqual([]);
  expect(since(129)).toEqual([]);
  expect(since(126)).toEqual([127, 129]);
  expect(since(0)).toEqual(Array.from({ length: 50 }, (_, at) => 31 + 2 * at));
  expect(cells.last?.firstLine).toBe("x = 130");
});

test.each([
  ["x = 1\ny = 2", "x = 1"],
  ["# A comment\n\n   total = 0  \nmore", "total = 0"],
  ["  # only\n# comments", "# only"],
  ["\n\n", ""],
  ["", ""],
  ["last", "last"],
  [`\n${"long ".repeat(20)}`, `${"long ".repeat(12).slice(0, 59)}…`],
])("the first line with code of %j is %j", (code, line) => {
  expect(firstLineOf(code)).toBe(line);
});
