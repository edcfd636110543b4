import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { neverPassed, passedVariables } from "../../src/python/environment/passed-variables.ts";

const page = readFileSync(inRepository("docs/environment.md"), "utf8");

describe("docs/environment.md tells the truth about", () => {
  test("what passes", () => {
    expect(tableAfter("## Variables that pass")).toEqual([
      "| what | names | why |",
      "|---|---|---|",
      ...passedVariables.map(({ what, names, why }) => `| ${what} | ${names.map(asCode).join(", ")} | ${why} |`),
    ]);
  });

  test("what never passes", () => {
    expect(tableAfter("## Variables that never pass")).toEqual([
      "| name | why |",
      "|---|---|",
      ...neverPassed.map(({ name, why }) => `| ${asCode(name)} | ${why} |`),
    ]);
  });
});

test("no variable is in the list twice", () => {
  const names = passedVariables.flatMap((group) => group.names);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

function tableAfter(heading: string): readonly string[] {
  const section = page.split(`${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section.split("\n").filter((line) => line.startsWith("|"));
}

function asCode(name: string): string {
  return `\`${name}\``;
}
