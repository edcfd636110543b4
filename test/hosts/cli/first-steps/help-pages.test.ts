import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { helpPages } from "../../../../src/hosts/cli/first-steps/help-pages.ts";
import { manPage } from "../../../../src/hosts/cli/first-steps/man-page.ts";
import { commandTable } from "../../../../src/hosts/cli/main.ts";
import { runOptions } from "../../../../src/hosts/cli/run/run-arguments.ts";
import { nodeEnvironment } from "../../../environment/nodes.ts";
import { granary, testFolder } from "../granary.ts";

const pages = await helpPages();
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const shellScript = async (shell: string): Promise<string> => {
  const path = join(testFolder, `granary.${shell}`);
  writeFileSync(path, (await granary(["completions", shell])).stdout);
  return path;
};

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

describe("completions", () => {
  const complete = async (...words: readonly string[]): Promise<readonly string[]> => {
    const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _granary; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ["--norc", "-c", script, "bash", await shellScript("bash"), "granary", ...words];
    return execFileSync("bash", args, { encoding: "utf8" }).trim().split("\n");
  };

  test("bash completes commands, their commands and their options", async () => {
    expect(await complete("no")).toEqual(["notebook"]);
    expect(await complete("notebook", "ver")).toEqual(["verify"]);
    expect(await complete("notebook", "insert", "a.ipynb", "--af")).toEqual(["--after"]);
    expect(await complete("hub", "st")).toEqual(["status", "stop"]);
    expect(await complete("run", "--se")).toEqual(["--session"]);
    // Nothing of ours: bash completes file names.
    expect(await complete("run", "analysis")).toEqual([""]);
  });

  test.skipIf(!has("zsh"))("zsh reads its script", async () => {
    execFileSync("zsh", ["-f", "-c", `autoload -U compinit; compinit -D; source ${await shellScript("zsh")}`]);
  });

  test.skipIf(!has("fish"))("fish completes from its script", async () => {
    const script = `source ${await shellScript("fish")}; complete -C 'granary noteb'`;
    expect(execFileSync("fish", ["--no-config", "-c", script], { encoding: "utf8" })).toMatch(/^notebook\t/);
  });

  test("each script has every command; another shell is refused with their names", async () => {
    for (const shell of ["zsh", "fish"]) {
      const { stdout } = await granary(["completions", shell]);
      for (const name of Object.keys(commandTable)) expect(stdout).toContain(name);
      // Every quote is closed.
      expect(stdout.replaceAll("\\'", "").split("'").length % 2).toBe(1);
    }
    const { stderr, exitCode } = await granary(["completions", "cmd"]);
    expect({ stderr, exitCode }).toEqual({
      stderr: "granary: Name one shell: granary completions bash, zsh or fish.\n",
      exitCode: 2,
    });
  });
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
