import fc from "fast-check";
import { expect, test } from "vitest";
import { changedLines, unifiedDiff } from "../../src/tools/files/text/unified-diff.ts";

const lines = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n"), { maxLength: 40 });

test("a diff is minimal for small changes", () => {
  const before = Array.from({ length: 500 }, (_, index) => `${index}\n`);
  const after = before.with(100, "x\n").toSpliced(300, 1).toSpliced(400, 0, "y\n", "z\n");
  expect(unifiedDiff(before.join(""), after.join("")).match(/^[-+]/gm)).toHaveLength(5);
});

test("applying the diff to the old text makes the new one, even without a newline at the end", () => {
  const end = fc.constantFrom("", "end");
  fc.assert(
    fc.property(lines, end, lines, end, (before, endBefore, after, endAfter) => {
      const [old, wanted] = [before.join("") + endBefore, after.join("") + endAfter];
      expect(patched(old, unifiedDiff(old, wanted))).toBe(wanted);
    }),
  );
});

/** The result of `patch`; every line that is not added has to be where the diff says. */
function patched(text: string, diff: string): string {
  const old = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const result: string[] = [];
  let at = 0;
  const hunks = diff.split(/^(?=@@ )/m);
  for (const hunk of hunks.filter((each) => each !== "")) {
    const [head = "", ...changes] = hunk.match(/[^\n]*\n|[^\n]+/g) ?? [];
    const [, from = "", count = "1"] = /^@@ -(\d+)(?:,(\d+))? /.exec(head) ?? [];
    const start = count === "0" ? Number(from) : Number(from) - 1;
    result.push(...old.slice(at, start));
    at = start;
    for (const [index, change] of changes.entries()) {
      if (change.startsWith("\\")) continue;
      const hasEnd = !changes[index + 1]?.startsWith("\\");
      const line = hasEnd ? change.slice(1) : change.slice(1, -1);
      if (!change.startsWith("+")) expect(old[at++]).toBe(line);
      if (!change.startsWith("-")) result.push(line);
    }
  }
  return [...result, ...old.slice(at)].join("");
}

test("texts that have nothing in common are one large change", () => {
  const before = Array.from({ length: 3000 }, (_, index) => `old ${index}\n`).join("");
  const after = Array.from({ length: 3000 }, (_, index) => `new ${index}\n`).join("");
  expect(unifiedDiff(before, after).startsWith("@@ -1,3000 +1,3000 @@\n-old 0\n")).toBe(true);
  for (const end of ["", "the end"]) {
    expect(patched(before, unifiedDiff(before, after + end))).toBe(after + end);
    expect(patched(before + end, unifiedDiff(before + end, after))).toBe(after);
  }
});

test("the same text has no diff", () => {
  expect(unifiedDiff("a\nb\n", "a\nb\n")).toBe("");
});

test("each change is located once, even at an end without a newline", () => {
  expect(changedLines(unifiedDiff("a\nb", "a\nB"))).toEqual([2]);
  expect(changedLines(unifiedDiff("a\nb\nc\n", "A\nb\nC\n"))).toEqual([1, 3]);
  expect(changedLines(unifiedDiff("a\nb\n", "a\nb"))).toEqual([2]);
  expect(changedLines(unifiedDiff("a\nb\na\n", "z\ny\na\n"))).toEqual([1]);
  expect(changedLines(unifiedDiff("a\nb\nc\n", "a\nc\n"))).toEqual([2]);
});
