import { relative } from "node:path";
import fc from "fast-check";
import { test } from "vitest";
import { isWithin } from "../../src/sandbox/is-within.ts";

const part = fc.constantFrom("", ".", "..", "...", "a", "b", "ab", ".ssh", "..a", " ");
const path = fc.array(part, { maxLength: 6 }).map((parts) => `/${parts.join("/")}`);

test("a path is in a folder if the way to it does not go up, however both are written", () => {
  const goesUp = (folder: string, inner: string): boolean => relative(folder, inner).split("/")[0] === "..";
  const isRight = fc.property(path, path, (folder, inner) => isWithin(folder, inner) !== goesUp(folder, inner));
  fc.assert(isRight, { numRuns: 5000 });
});
