import { expect, test } from "vitest";
import { RecentCells } from "../../src/session/recent-cells.ts";

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
