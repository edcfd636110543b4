import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { errorCodes } from "../../src/support/error-codes.ts";
import { sourceFiles } from "./source-files.ts";

const sources = new Map(sourceFiles().map((file) => [file, readFileSync(inRepository(`src/${file}`), "utf8")]));
const codes: readonly string[] = Object.values(errorCodes).flatMap((group) => Object.keys(group));

test("every error class is a GranaryError, so that callers need to know one", () => {
  const others = [...sources].flatMap(([file, source]) => errorClasses(source).map((name) => `${file}: ${name}`));
  expect(others).toEqual(["support/granary-error.ts: GranaryError"]);
});

test("a code means one thing", () => {
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

test("every code that is thrown is in the table, and every code of the table is thrown", () => {
  const thrown = new Set([...sources.values()].flatMap(thrownCodes));
  expect([...thrown].filter((code) => !codes.includes(code))).toEqual([]);
  expect(codes.filter((code) => !thrown.has(code))).toEqual([]);
});

describe("the rules notice", () => {
  test("a class of its own, also of another built-in error or without a name", () => {
    const source =
      'export class A extends Error {}\nclass B<T> extends TypeError {}\nthrow new (class extends Error {})("");';
    expect(errorClasses(source)).toEqual(["A", "B", "(no name)"]);
    expect(errorClasses("class C extends GranaryError {}\nclass D extends Map {}")).toEqual([]);
  });

  test("a code in each way in which one is thrown, and no other text", () => {
    const source = `import { GranaryError } from "./granary-error.ts";
      throw new GranaryError("one", \`There is no "text".\`);
      throw new KernelError(
        late ? "two" : "three", "sentence");
      const refuse = (code: GranaryErrorCode, what: string) => new GranaryError(code, what);
      throw refuse("four", "sentence");
      super("five", message);`;
    expect(thrownCodes(source)).toEqual(["one", "two", "three", "five", "four"]);
    expect(thrownCodes('throw new HostCallError("of-the-host", "");')).toEqual([]);
  });
});

function errorClasses(source: string): string[] {
  const classes = source.matchAll(
    /\bclass\s+(?:(?!extends\b)(\w+)[^{]*?\s)?extends\s+(?:[A-Z]\w*)?(?<!Granary)Error\b/g,
  );
  return [...classes].map(([, name = "(no name)"]) => name);
}

/** Literals in the place of a code: when one is made, in a subclass, or in a function of the same file that takes a code. */
function thrownCodes(source: string): string[] {
  if (!/\b(?:Granary|Kernel)Error\b|setupError/.test(source)) return [];
  const makers = [...source.matchAll(/(\w+)(?: = |\()(?:async )?\(?code: /g)].map(([, name = ""]) => name);
  const calls = ["new (?:Granary|Kernel)Error", "super", "setupError", ...makers];
  return calls.flatMap((call) => {
    const firstArguments = source.matchAll(
      new RegExp(String.raw`(?<![\w.])#?${call}\(\s*((?:[^,"\x60()]|"[^"]*")*),`, "g"),
    );
    return [...firstArguments].flatMap(([, argument = ""]) =>
      [...argument.matchAll(/"([\w-]+)"/g)].map(([, code = ""]) => code),
    );
  });
}
