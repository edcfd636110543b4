import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { compileSnippets, runSnippet, type Snippet, tooNewForNode20 } from "./snippets.ts";

const pages = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", ...markdownIn("docs"), ...markdownIn("protocol")];
const texts = pages.map((page) => ({ page, text: readFileSync(inRepository(page), "utf8") }));
const fences = texts.flatMap(({ page, text }) => tsFences(page, text));
const complaints = await compileSnippets("docs", fences);
const sourceFiles = [
  ...["src", "python", "test", "scripts", "bench"].flatMap(filesIn),
  ...readdirSync(inRepository(".")),
];

describe("TypeScript in README and docs", () => {
  test("compiles, wherever it stands in a ```ts fence", () => {
    expect(complaints).toBe("");
  });

  test("is also JavaScript for Node 20, without its types", () => {
    expect(fences.flatMap(tooNewForNode20)).toEqual([]);
  });

  test("the rule notices declarations that Node 20 does not know", () => {
    const lines = [
      "await using kernel = await startKernel();",
      "  using hold = session.hold();",
      "const using = 1;",
      "// using x",
    ];
    expect(tooNewForNode20({ name: "lines", source: lines.join("\n") })).toEqual(lines.slice(0, 2));
  });

  for (const fence of fences.filter(({ isRun }) => isRun)) {
    test(`runs, as ${fence.name} says it does`, () => runSnippet("docs", fence.name));
  }
});

test("a fence keeps its line numbers, so that the compiler points into the page", () => {
  const page = "# Title\n\n```ts run\nconst a = 1;\n```\n\n```python\nb = 2\n```\n";
  expect(tsFences("docs/page.md", page)).toEqual([
    { name: "docs-page.md-line-3", isRun: true, source: "\n\n\nconst a = 1;\n" },
  ]);
});

describe.each(texts)("$page", ({ page, text }) => {
  test("links to nothing that is not there", () => {
    const prose = text.replace(/^```.*?^```$/gms, "");
    const targets = [...prose.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = ""]) => target);
    const missing = targets.filter((target) => !existsSync(inRepository(posix.join(posix.dirname(page), target))));
    expect(missing).toEqual([]);
  });

  test("names no source file that is not there", () => {
    const named = [...text.matchAll(/`([\w./-]+\.(?:ts|mjs|py))`/g)].map(([, name = ""]) => name);
    const missing = named.filter((name) => !sourceFiles.some((file) => `/${file}`.endsWith(`/${name}`)));
    expect(missing).toEqual([]);
  });
});

test("docs/runner.md names every magic and every module that the runner adapts", async () => {
  const cell = "%lsmagic\nfrom granary_runner.import_hooks import PATCHES\nprint(*PATCHES)";
  const { stdout } = await promisify(execFile)(process.execPath, [inRepository("bin/granary"), "run", "-c", cell]);
  const magics = stdout.match(/%%?\w+/g) ?? [];
  const modules = stdout.trimEnd().split("\n").at(-1)?.split(" ") ?? [];
  const page = readFileSync(inRepository("docs/runner.md"), "utf8");
  const namesMagic = (magic: string) => new RegExp(`(?<!%)${magic}\\b`).test(page);
  const namesModule = (module: string) => page.includes(module.replace(/\..*/, ""));
  expect(magics.filter((magic) => !namesMagic(magic))).toEqual([]);
  expect(modules.filter((module) => !namesModule(module))).toEqual([]);
});

interface Fence extends Snippet {
  /** Marked ```ts run: it is executed, too. */
  readonly isRun: boolean;
}

function tsFences(page: string, text: string): Fence[] {
  return [...text.matchAll(/^```ts( run)?\n(.*?)^```$/gms)].map((match) => {
    const [, run, code] = match;
    const linesBefore = text.slice(0, match.index).split("\n").length;
    return {
      name: `${page.replaceAll("/", "-")}-line-${linesBefore}`,
      isRun: run !== undefined,
      source: "\n".repeat(linesBefore) + code,
    };
  });
}

function markdownIn(folder: string): string[] {
  return filesIn(folder)
    .filter((file) => file.endsWith(".md"))
    .sort();
}

function filesIn(folder: string): string[] {
  return readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`);
}
