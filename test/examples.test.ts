import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { environment } from "./environment/pythons.ts";
import { compileSnippets, runSnippet, tooNewForNode20 } from "./snippets.ts";

const folder = inRepository("examples");
const examples = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ name: file.replace(/\.ts$/, ""), source: readFileSync(`${folder}/${file}`, "utf8") }));
const complaints = await compileSnippets("examples", examples);

// The Python that the examples find by themselves: one that has the packages some of them need.
const packages = environment("plain");
if ("python" in packages) vi.stubEnv("VIRTUAL_ENV", dirname(dirname(packages.python)));

describe("the examples", () => {
  test("compile", () => {
    expect(complaints).toBe("");
  });

  test.each(examples)("$name is at most 40 lines long", ({ source }) => {
    expect(source.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  });

  test.each(examples)("$name is also JavaScript for Node 20, without its types", (example) => {
    expect(tooNewForNode20(example)).toEqual([]);
  });

  // Each example ends with an assertion, so running to the end means that what it shows is true.
  for (const { name, source } of examples) {
    test(`${name} runs`, async ({ skip }) => {
      const needsPackages = source.startsWith("// Needs ");
      if (needsPackages && "missing" in packages) skip(packages.missing);
      await runSnippet("examples", name);
    });
  }
});
