import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { settingCalled, settingNames, variableOf } from "../../src/settings/settings.ts";
import { fromEnvironment } from "../../src/settings/sources/from-environment.ts";
import { fromFile } from "../../src/settings/sources/from-file.ts";
import { withTables } from "./settings-page.ts";

const path = inRepository("docs/settings.md");

describe("docs/settings.md", () => {
  test("lists every setting as the table has it", async () => {
    const page = await readFile(path, "utf8");
    const updated = withTables(page);
    if (process.env.UPDATE_DOCS) await writeFile(path, updated);
    else expect(page, "stale; update it with: UPDATE_DOCS=1 npx vitest run test/settings").toBe(updated);
  });

  test("shows examples that Granary accepts", async () => {
    const page = await readFile(path, "utf8");
    const files = fencesOf(page, "json");
    for (const text of files) fromFile(text, { from: "user-file", path }, path);
    const commands = fencesOf(page, "sh").flatMap((text) => text.match(/^\w+=\S*(?= )/gm) ?? []);
    const environment = Object.fromEntries(commands.map((assignment) => assignment.split(/=(.*)/, 2)));
    expect((await fromEnvironment(environment)).size).toBe(commands.length);
    expect([files.length, commands.length].every((count) => count > 0)).toBe(true);
  });
});

test("no two settings share a variable, and every default is a value that would be accepted", () => {
  const variables = settingNames.flatMap((name) => [variableOf(name), settingCalled(name).variable?.name ?? []].flat());
  expect(new Set(variables).size).toBe(variables.length);
  for (const name of settingNames) {
    const { kind, default: value } = settingCalled(name);
    expect(kind.read(value), name).toEqual(value);
  }
});

function fencesOf(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
}
