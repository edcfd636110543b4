import { describe, expect, test } from "vitest";
import Progress from "./progress.ts";

function toldAbout(files: number, failing: readonly number[] = []): string[] {
  const told: string[] = [];
  const progress = new Progress({ tell: (sentence) => told.push(sentence) });
  progress.onTestRunStart(Array(files).fill({}));
  for (let file = 1; file <= files; file++) progress.onTestModuleEnd({ ok: () => !failing.includes(file) });
  return told;
}

describe("a run of the tests", () => {
  test("says how far it is, every tenth of the files", () => {
    const told = toldAbout(294);
    expect(told.slice(0, 3)).toEqual(["testing 294 files…", "tested 30 of 294 files", "tested 59 of 294 files"]);
    expect(told.at(-1)).toBe("tested 294 of 294 files");
    expect(told).toHaveLength(11);
  });

  test("says that files have failed before it is over", () => {
    expect(toldAbout(20, [3]).slice(0, 3)).toEqual([
      "testing 20 files…",
      "tested 2 of 20 files",
      "tested 4 of 20 files, 1 of them failed",
    ]);
  });

  test("of a few files says nothing", () => {
    expect(toldAbout(19)).toEqual([]);
  });
});
