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

test("docs/trust.md says for every setting what a project's file can do with it, as Granary treats it", async () => {
  const page = await readFile(inRepository("docs/trust.md"), "utf8");
  const [, section = ""] = page.split(/^## Settings of a project at their worst$/m);
  const rows =
    section
      .split(/^## /m, 1)
      .join("")
      .match(/^\| `.*$/gm) ?? [];
  const told = rows.flatMap((row) => {
    const [, names = "", worst = ""] = row.split("|");
    const [, word = "free"] = /^ \*\*(.*?)\*\*/.exec(worst) ?? [];
    return [...names.matchAll(/`(.*?)`/g)].map(([, name]) => `${name}: ${word}`);
  });
  const treated = settingNames.map((name) => {
    const { needsTrust, notForProjects, tighten } = settingCalled(name);
    const word = notForProjects ? "refused" : needsTrust ? "need trust" : tighten ? "only tighten" : "free";
    return `${name}: ${word}`;
  });
  expect(told.sort()).toEqual(treated.sort());
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
