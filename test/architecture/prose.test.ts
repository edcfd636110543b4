import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { filesBelow } from "./source-files.ts";

/** Words that the project does not use in comments, messages, help and pages, each with a better one. */
const words: readonly [RegExp, string][] = [
  [/\bwho(so)?ever\b/i, "the noun: the caller, the client, the user"],
  [/\bwhatever\b/i, "any"],
  [/\b(some|no)body\b/i, "the noun: another client, the user; or: unread, unused, without a listener"],
  [/[a-z] anew(?= [a-z]|[.,;)])/i, "again"],
  [/\bmend(s|ed|ing)?\b/i, "fix, repair"],
  [/\b(is|are|was|were|be|been|being) told\b/i, "gets; is reported; called with"],
  [/\b(go|goes|going|went) on\b/i, "continue, keep running, resume"],
  [/\b(put|puts) out\b/i, "print; the outputs of"],
  [/\b(stands?|stood) still\b/i, "pauses, hangs"],
  [/\btime-outs?\b/i, "timeout"],
  [/\bmeanwhile\b/i, "during the run, at the same time"],
  [/\b(lest|hence|whence|thereby)\b/i, "so that, so, because"],
  [/, (too|either)[.;:)]/i, "also, before the verb; or nothing"],
  [/(\/\*\*|\/\/|^\s*\*|#|""") ?(What|Who|Those) (?!to\b)[a-z][^?]*$/, "a concrete noun or a verb first"],
];

const places: readonly [folder: string, ending: string][] = [
  ["src", ".ts"],
  ["docs", ".md"],
  ["python/granary_prelude", ".py"],
  ["python/granary_runner", ".py"],
];

/** The title of a decision is its address. */
const isTitle = (line: string): boolean => line.startsWith("# ");

test("comments, messages, help and pages use the words of the trade", () => {
  const texts = places.flatMap(([folder, ending]) =>
    filesBelow(folder)
      .filter((file) => file.endsWith(ending))
      .map((file) => posix.join(folder, file)),
  );
  expect(texts.length).toBeGreaterThan(500);
  expect(texts.flatMap((file) => findings(file, readFileSync(inRepository(file), "utf8")))).toEqual([]);
});

test.each([
  ["/** Whoever asks gets it. */"],
  ["// What is left is dropped."],
  ["  * Those that wait are told."],
  ['throw new Error("Nobody answers.");'],
  ["The cell goes on."],
  ["It is made anew at every start."],
  ["Blank cells are left out, too."],
])("the rule finds %s", (line) => {
  expect(findings("a.ts", `\n${line}`)).toContainEqual(expect.stringMatching(/^a\.ts:2: /));
});

test.each([
  ["readonly anew: boolean; // an identifier"],
  ["const nobodyServes = 1;"],
  ["// What to call both."],
  ["## What is in a result?"],
])("the rule allows %s", (line) => {
  expect(findings("a.ts", line)).toEqual([]);
});

function findings(file: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) =>
    words.flatMap(([pattern, instead]) => {
      const found = isTitle(line) ? null : pattern.exec(line);
      return found === null ? [] : [`${file}:${index + 1}: "${found[0].trim()}": write ${instead}`];
    }),
  );
}
