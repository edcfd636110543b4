import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { parseSnippets, readSnippets } from "./snippets.ts";

test("at least a hundred libraries have a snippet, each of them once, and all are in the environment for them", () => {
  const names = readSnippets().map(({ library }) => library);
  expect(names.length).toBeGreaterThanOrEqual(100);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  const lock = readFileSync(inRepository("test/environment/libraries.lock"), "utf8").toLowerCase();
  const locked = new Set(lock.split("\n").map((line) => line.split("==")[0]));
  expect(names.filter((name) => !locked.has(name.toLowerCase().replaceAll("_", "-")))).toEqual([]);
});

test("every snippet has code, and its patterns are regular expressions", () => {
  for (const { library, code, ignore } of readSnippets()) {
    expect(code.trim(), library).not.toBe("");
    for (const pattern of ignore) expect(() => new RegExp(pattern, "gu"), library).not.toThrow();
  }
});

test("marks are read, and code before the first library is refused", () => {
  expect(parseSnippets("# %% one\n# ignore: a+\n# differs: why\n# a comment\n1\n# %% two\n%load_ext two\n")).toEqual([
    { library: "one", code: "# a comment\n1", ignore: ["a+"], differs: "why" },
    { library: "two", code: "%load_ext two", ignore: [], differs: null },
  ]);
  expect(() => parseSnippets("import one\n# %% one\n1")).toThrow("begins with");
});
