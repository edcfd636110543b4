import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { apiPage } from "../scripts/api-page.mjs";
import { entryPoints, publicNames } from "../scripts/public-api.mjs";
import { inRepository } from "../scripts/repository.mjs";

const all = Object.values(entryPoints).flatMap(publicNames);

test("docs/api.md has every public name as the types declare it", async () => {
  const path = inRepository("docs/api.md");
  const page = apiPage();
  if (process.env.UPDATE_DOCS) await writeFile(path, page);
  const stored = await readFile(path, "utf8");
  expect(stored, "stale; update it with: UPDATE_DOCS=1 npx vitest run test/api-page.test.ts").toBe(page);
});

test("every public function and class has an example", () => {
  const values = all.filter(({ kind }) => kind === "function" || kind === "class");
  expect(values.length).toBeGreaterThan(15);
  expect(values.filter(({ doc }) => !doc.includes("@example")).map(({ name }) => name)).toEqual(["PythonTools"]);
});

/** Types by which others are composed: an editor shows what comes of them. */
const composing = new Set([
  "Captured",
  "DisplayPart",
  "FilterOptions",
  "FoundCellType",
  "Group",
  "InterviewOptions",
  "KeysOfEach",
  "Life",
  "LineMove",
  "NotebookEdit",
  "NumberAsWritten",
  "SettingValue",
  "SharedOptions",
  "SharedRunOptions",
  "Span",
  "Table",
  "ToolContextOptions",
  "Truncation",
]);

test("every type that a public one names is public", () => {
  const names = new Set(all.map(({ name }) => name));
  const hidden = all.flatMap(({ name, reaches }) =>
    reaches.filter((other) => !names.has(other) && !composing.has(other)).map((other) => `${name} names ${other}`),
  );
  expect(hidden).toEqual([]);
});
