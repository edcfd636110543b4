import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { filesBelow } from "./source-files.ts";

/**
 * A spelling check without a dictionary: a word that occurs once, one letter away from a word that occurs often, is
 * probably a typing error. Names and terms, which a dictionary would not know, occur often.
 */
const right = new Set(
  "chained cloud compete contexts culling identify locale originals passing plainer printer replay reused shipped spawns starved strays suites thirds thought transit".split(
    " ",
  ),
);

const often = 6;
const pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "protocol/README.md"];

test("no word in the pages is one letter away from a word that the project uses often", () => {
  const docs = filesBelow("docs").filter((file) => file.endsWith(".md") && file !== "api.md");
  const texts = [...pages, ...docs.map((file) => `docs/${file}`)].map((file) =>
    readFileSync(inRepository(file), "utf8"),
  );
  const sources = filesBelow("src").filter((file) => file.endsWith(".ts"));
  const comments = sources.flatMap(
    (file) => readFileSync(inRepository(`src/${file}`), "utf8").match(/\/\*\*[\s\S]*?\*\/|\/\/.*/g) ?? [],
  );
  const prose = texts.map(withoutCode).join("\n");
  expect(
    suspects(prose, comments.join("\n")).filter(({ word }) => !right.has(word)),
    hint,
  ).toEqual([]);
});

const hint = "If such a word is right, add it to the list in test/architecture/spelling.test.ts.";

test("the rule finds a missing, a doubled, a wrong and a swapped letter", () => {
  const known = "sessions kernels variables restart ".repeat(often);
  const found = suspects("The sesions of kernnels have varisbles, and resatrt.", known).map(({ word }) => word);
  expect(found).toEqual(["sesions", "kernnels", "varisbles", "resatrt"]);
});

test("the rule allows other forms of a word", () => {
  expect(suspects("It restarts, restarted, and its kernel varies.", "restart kernels vary ".repeat(often))).toEqual([]);
});

function suspects(prose: string, others: string): { readonly word: string; readonly means: readonly string[] }[] {
  const counts = new Map<string, number>();
  for (const word of [...wordsOf(prose), ...wordsOf(others)]) counts.set(word, (counts.get(word) ?? 0) + 1);
  const usual = new Map<string, string[]>();
  for (const [word, count] of counts) {
    if (count < often) continue;
    for (const form of [word, ...withoutOne(word)]) usual.set(form, [...(usual.get(form) ?? []), word]);
  }
  return [...new Set(wordsOf(prose))].flatMap((word) => {
    if (counts.get(word) !== 1) return [];
    const near = [word, ...withoutOne(word)].flatMap((form) => usual.get(form) ?? []);
    const means = [...new Set(near)].filter((other) => isTypo(word, other));
    return means.length === 0 ? [] : [{ word, means }];
  });
}

function isTypo(word: string, other: string): boolean {
  if (word[0] !== other[0] || stem(word) === stem(other)) return false;
  if (word === other || word === `${other}s` || other === `${word}s`) return false;
  if (word.length !== other.length) return true;
  const different = [...word].flatMap((letter, index) => (letter === other[index] ? [] : [index]));
  const [first = 0] = different;
  const isSwapped = different.length === 2 && word[first] === other[first + 1] && word[first + 1] === other[first];
  return isSwapped || (different.length === 1 && other.length >= 7);
}

function wordsOf(text: string): string[] {
  return (text.match(/(?<![\w./-])[A-Za-z]{5,}(?![\w/]|\.\w)/g) ?? []).map((word) => word.toLowerCase());
}

function withoutOne(word: string): string[] {
  return Array.from(word, (_, index) => word.slice(0, index) + word.slice(index + 1));
}

const stem = (word: string): string => word.replace(/(ings?|ed|e?s|ies|[eo]rs?|ly|y|e|d|r|al|ions?|able)$/, "");

function withoutCode(page: string): string {
  return page
    .replaceAll(/^```.*?^```$/gms, "")
    .replaceAll(/`[^`\n]*`/g, "")
    .replaceAll(/\]\([^)]*\)/g, "");
}
