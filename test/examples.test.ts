import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { compileSnippets, runSnippet } from "./snippets.ts";

const folder = inRepository("examples");
const examples = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ name: file.replace(/\.ts$/, ""), source: readFileSync(`${folder}/${file}`, "utf8") }));
const complaints = await compileSnippets("examples", examples);

describe("the examples", () => {
  test("compile", () => {
    expect(complaints).toBe("");
  });

  // Each example ends with an assertion, so running to the end means that what it shows is true.
  test.each(examples)("$name runs", ({ name }) => runSnippet("examples", name));
});
