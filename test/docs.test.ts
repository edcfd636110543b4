import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { compileSnippets, runSnippet, type Snippet } from "./snippets.ts";

const pages = ["README.md", ...markdownIn("docs"), ...markdownIn("protocol")];
const fences = pages.flatMap((page) => tsFences(page, readFileSync(inRepository(page), "utf8")));
const complaints = await compileSnippets("docs", fences);

describe("TypeScript in README and docs", () => {
  test("compiles, wherever it stands in a ```ts fence", () => {
    expect(complaints).toBe("");
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
  return readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `${folder}/${file}`)
    .sort();
}
