import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { helpPages } from "../../../../src/hosts/cli/first-steps/help-pages.ts";
import { manPage } from "../../../../src/hosts/cli/first-steps/man-page.ts";
import { commandTable } from "../../../../src/hosts/cli/main.ts";
import { runOptions } from "../../../../src/hosts/cli/run/run-arguments.ts";
import { nodeEnvironment } from "../../../environment/nodes.ts";
import { granary } from "../granary.ts";

const pages = await helpPages();
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

test("every command, and every command of notebooks, has an example in its help", () => {
  expect(pages.filter(({ words }) => words.length === 1).map(({ words: [name] }) => name)).toEqual(
    Object.keys(commandTable),
  );
  expect(pages.length).toBeGreaterThan(35);
  const without = pages.filter(
    ({ words, text }) =>
      !/^Examples?\b.*:\n(?: {2}.*\n)*? {2}.*granary/m.test(text) || !text.includes(`granary ${words.join(" ")}`),
  );
  expect(without.map(({ words }) => words.join(" "))).toEqual([]);
});

test("the help of a command names all of its options", () => {
  const run = pages.find(({ words }) => words.join(" ") === "run");
  expect(run?.options.map(({ name }) => name.slice(2)).sort()).toEqual([...Object.keys(runOptions)].sort());
});

test.skipIf(!has("groff"))("man granary shows every command with its help, as it is", async () => {
  const page = await manPage("1.2.3");
  const { stdout, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww", "-P-cbou"], {
    input: page,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  for (const { words, text } of pages) {
    expect(stdout).toContain(`granary ${words.join(" ")}\n`);
    const [line = ""] = text.split("\n").filter((line) => line.startsWith("  granary"));
    expect(stdout).toContain(line.trim());
  }
});

const tokens = nodeEnvironment("tokens");

test.skipIf("missing" in tokens)("granary skill costs an agent at most 600 tokens", async () => {
  const load = createRequire(join((tokens as { folder: string }).folder, "package.json"));
  const { countTokens } = load("gpt-tokenizer/encoding/o200k_base") as { countTokens(text: string): number };
  const { stdout } = await granary(["skill"]);
  expect(stdout).toMatch(/^---\nname: granary\ndescription: .+\n---\n/);
  expect(countTokens(stdout)).toBeLessThanOrEqual(600);
});

test("the skill names only commands and options that exist", async () => {
  const { stdout } = await granary(["skill"]);
  const typed = [...stdout.matchAll(/granary ([a-z]+)(?: ([a-z]+))?/g)];
  expect(typed.length).toBeGreaterThan(12);
  for (const [, command = "", inner] of typed) {
    expect(Object.keys(commandTable)).toContain(command);
    if (command === "notebook") expect(pages.map(({ words }) => words.join(" "))).toContain(`notebook ${inner}`);
  }
  const options = new Set(pages.flatMap(({ options }) => options.map(({ name }) => name)));
  for (const [option] of stdout.matchAll(/--[a-z][a-z-]+/g)) expect([...options, "--help"]).toContain(option);
});
