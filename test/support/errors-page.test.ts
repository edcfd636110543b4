import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { errorCodes } from "../../src/support/error-codes.ts";

const path = inRepository("docs/errors.md");
const beginning =
  "<!-- made from src/support/error-codes.ts: UPDATE_DOCS=1 npx vitest run test/support/errors-page.test.ts -->";
const end = "<!-- end of what is made from the table -->";

test("docs/errors.md lists every code as the table has it", async () => {
  const page = await readFile(path, "utf8");
  const updated = withTables(page);
  if (process.env.UPDATE_DOCS) await writeFile(path, updated);
  else
    expect(page, "stale; update it with: UPDATE_DOCS=1 npx vitest run test/support/errors-page.test.ts").toBe(updated);
});

test("each code has one sentence for the cause, and one for the remedy", () => {
  const sentences = Object.values(errorCodes).flatMap((group) => Object.values(group).flat());
  const isOneSentence = (text: string) => /^\w[^.]*\.$/.test(text.replace(/`[^`]*`|\d\.\d/g, "word"));
  expect(sentences.filter((text) => !isOneSentence(text))).toEqual([]);
});

/** The page with the tables between the two comments generated again. */
function withTables(page: string): string {
  const from = page.indexOf(beginning);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/errors.md has lost its comments:\n${beginning}\n${end}`);
  const tables = Object.entries(errorCodes).map(([group, codes]) => {
    const rows = Object.entries(codes).map(([code, [what, remedy]]) => `| \`${code}\` | ${what} | ${remedy} |`);
    return [`### ${group}`, "", "| code | what happened | what to do |", "|---|---|---|", ...rows, ""].join("\n");
  });
  return `${page.slice(0, from)}${beginning}\n\n${tables.join("\n")}\n${page.slice(to)}`;
}
