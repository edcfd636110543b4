import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { sourceFiles } from "./source-files.ts";

/** Commands all export `main`, by which `granary` runs them. */
const shared = new Set(["main"]);

test("every exported name is declared in one file, so that a search for it finds one thing", () => {
  const declaredIn = new Map<string, string[]>();
  for (const file of sourceFiles()) {
    for (const name of exportedNames(readFileSync(inRepository(posix.join("src", file)), "utf8"))) {
      declaredIn.set(name, [...(declaredIn.get(name) ?? []), file]);
    }
  }
  expect(declaredIn.size).toBeGreaterThan(500);
  expect([...declaredIn].filter(([name, files]) => files.length > 1 && !shared.has(name))).toEqual([]);
});

/** Newcomers search for the trade's word: observer, context, timeout, recent cell. */
const metaphor = /witness|\bdeeds?\b|patience|surroundings|premises|workshop|workplace|\bdesk\b|\bears\b/i;

test("files and names use the words that a newcomer searches for", () => {
  const found = sourceFiles().filter((file) => {
    const source = readFileSync(inRepository(posix.join("src", file)), "utf8");
    return metaphor.test(file) || metaphor.test(source.replaceAll(/([a-z])([A-Z])/g, "$1 $2"));
  });
  expect(found).toEqual([]);
});

test("the rule finds every kind of declaration, and overloads once", () => {
  const source = [
    "export const one = 1;",
    "export async function two() {}",
    "export async function* three() {}",
    "export abstract class Four {}",
    "export interface Five<T> {}",
    "export type Six = 6;",
    "export function seven(a: string): void;",
    "export function seven(a: number): void;",
    'export { eight } from "./eight.ts";',
  ];
  expect(exportedNames(source.join("\n"))).toEqual(["one", "two", "three", "Four", "Five", "Six", "seven"]);
});

function exportedNames(source: string): string[] {
  const declarations = source.matchAll(
    /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm,
  );
  return [...new Set([...declarations].map(([, name = ""]) => name))];
}
