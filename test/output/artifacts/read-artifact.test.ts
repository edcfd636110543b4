import { rm, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findArtifact } from "../../../src/output/artifacts/read/find-artifact.ts";
import type { StoredArtifact } from "../../../src/output/artifacts/read/list-artifacts.ts";
import { parseRanges, type Range } from "../../../src/output/artifacts/read/ranges.ts";
import {
  countLines,
  readBytes,
  readLines,
  readWholeArtifact,
} from "../../../src/output/artifacts/read/read-artifact.ts";
import { type SearchOptions, searchArtifact } from "../../../src/output/artifacts/read/search-artifact.ts";
import { newRoot, openStore, saveText } from "./store-folder.ts";

async function artifactWith(text: string): Promise<StoredArtifact> {
  const store = openStore({ maxBytes: 100_000_000 });
  return findArtifact(store.root, await saveText(store, text));
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
}

function ranges(text: string, first: 0 | 1 = 1): readonly Range[] {
  return parseRanges(text, first) ?? expect.fail(`${text} was not understood`);
}

async function search(artifact: StoredArtifact, pattern: string | RegExp, options: SearchOptions = {}) {
  const found: string[] = [];
  for await (const { line, text } of searchArtifact(artifact, pattern, options)) found.push(`${line}:${text}`);
  return found;
}

describe("reading lines", () => {
  const text = "one\ntwo\nthree\n\nfive\nsix";

  test.each([
    ["1", "one\n"],
    ["2-3", "two\nthree\n"],
    ["5-", "five\nsix"],
    ["6-100", "six"],
    ["-2", "five\nsix"],
    ["-100", text],
    ["1-", text],
    ["5,1-2", "one\ntwo\nfive\n"],
    ["1-3, 2-4 ,3", "one\ntwo\nthree\n\n"],
    ["1,-1", "one\nsix"],
    ["7-", ""],
  ])("%s", async (typed, expected) => {
    expect(await textOf(readLines(await artifactWith(text), ranges(typed)))).toBe(expected);
  });

  test("a last line break ends the last line, and begins no other", async () => {
    const artifact = await artifactWith("one\ntwo\n");
    expect(await textOf(readLines(artifact, ranges("-1")))).toBe("two\n");
    expect(await countLines(artifact)).toBe(2);
    expect(await countLines(await artifactWith(""))).toBe(0);
  });

  test("any ranges of any text are the same lines of the whole", async () => {
    const root = newRoot();
    const store = openStore({ root });
    const file = await findArtifact(root, await saveText(store, ""));
    // Long lines among them, so that lines and the pieces in which a file is read end at different places.
    const anyText = fc.string({
      unit: fc.constantFrom("a", "\n", "\n\n", "é", "\r\n", "😀", "x".repeat(90_000)),
      maxLength: 25,
    });
    const anyRange = fc.oneof(
      fc.tuple(fc.integer({ min: 1, max: 30 }), fc.nat(10)).map(([from, more]) => ({ from, to: from + more })),
      fc.integer({ min: 1, max: 30 }).map((last) => ({ last })),
    );
    await fc.assert(
      fc.asyncProperty(anyText, fc.array(anyRange, { minLength: 1, maxLength: 4 }), async (text, ranges) => {
        await writeFile(file.path, text);
        const artifact = { ...file, bytes: Buffer.byteLength(text) };
        const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
        const isIn = (number: number) => (range: Range) =>
          "last" in range ? number > lines.length - range.last : range.from <= number && number <= range.to;
        const expected = lines.filter((_, index) => ranges.some(isIn(index + 1))).join("");
        expect(await textOf(readLines(artifact, ranges))).toBe(expected);
        expect(await textOf(readWholeArtifact(artifact))).toBe(text);
      }),
      { numRuns: 60 },
    );
  });
});

describe("reading bytes", () => {
  test.each([
    ["0-2", "012"],
    ["3", "3"],
    ["8-", "89"],
    ["-3", "789"],
    ["0,2-3,9", "0239"],
    ["10-", ""],
  ])("%s", async (typed, expected) => {
    expect(await textOf(readBytes(await artifactWith("0123456789"), ranges(typed, 0)))).toBe(expected);
  });

  test("any range equals that slice of the whole", async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    const store = openStore({ maxBytes: 10_000_000 });
    const end = await store.save(bytes, "bin");
    const artifact = await findArtifact(store.root, end.kept ? end.id : "");
    await fc.assert(
      fc.asyncProperty(fc.nat(310_000), fc.nat(310_000), async (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const chunks: Uint8Array[] = [];
        for await (const chunk of readBytes(artifact, [{ from, to }])) chunks.push(chunk);
        expect(Buffer.concat(chunks).equals(bytes.subarray(from, to + 1))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

test.each(["", "a", "5-3", "0", "0-5", "-0", "-", "1,,2", "1-2-3", "1.5", "+1", "--1", "1e3", "9".repeat(20)])(
  "%j is no range of lines",
  (typed) => {
    expect(parseRanges(typed, 1)).toBeNull();
  },
);

describe("searching", () => {
  test("finds lines that contain a text, with their numbers; the text has no special characters", async () => {
    const artifact = await artifactWith("a.c\nabc\r\n/a.c/\nA.C\n(a+)+$");
    expect(await search(artifact, "a.c")).toEqual(["1:a.c", "3:/a.c/"]);
    expect(await search(artifact, "(a+)+$")).toEqual(["5:(a+)+$"]);
    expect(await search(artifact, "nowhere")).toEqual([]);
  });

  test("finds lines that match a regular expression", async () => {
    const artifact = await artifactWith("a.c\nabc\r\n/a.c/\nA.C\n");
    expect(await search(artifact, /^a.c$/i)).toEqual(["1:a.c", "2:abc", "4:A.C"]);
    expect(await search(artifact, /^a/g)).toEqual(["1:a.c", "2:abc"]);
    expect(await search(artifact, /^$/)).toEqual([]);
  });

  test("searches only the requested lines", async () => {
    const artifact = await artifactWith("x\n".repeat(100_000));
    expect(await search(artifact, "x", { lines: ranges("3-4,-2") })).toEqual(["3:x", "4:x", "99999:x", "100000:x"]);
  });

  test("counts lines rightly in a file that is read in many pieces", async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index + 1} ${"é".repeat(index % 20)}`);
    const artifact = await artifactWith(lines.join("\n"));
    const expected = lines.flatMap((line, index) => (line.startsWith("line 59") ? [`${index + 1}:${line}`] : []));
    expect(await search(artifact, "line 59")).toEqual(expected);
    expect(await search(artifact, /^line 59/)).toEqual(expected);
  });

  test("of a very long line, shows what is around the first place, once", async () => {
    const artifact = await artifactWith(
      `short\n${"-".repeat(3_000_000)}needle${"=".repeat(3_000_000)}needle\nshort needle`,
    );
    const excerpt = `2:…${"-".repeat(100)}needle${"=".repeat(294)}…`;
    expect(await search(artifact, "needle")).toEqual([excerpt, "3:short needle"]);
    expect(await search(artifact, /n[e]+dle/)).toEqual([excerpt, "3:short needle"]);
  });

  test("stops with a regular expression that would take years, and says so", async () => {
    const artifact = await artifactWith(`ok\n${"a".repeat(60)}b\n`);
    await expect(search(artifact, /(a+)+$/, { timeoutMs: 50 })).rejects.toMatchObject({
      code: "search-too-slow",
      message: expect.stringContaining("/(a+)+$/ takes too long for lines from 1 on."),
    });
  });
});

describe("an artifact that is not there", () => {
  test.each([
    ["agent-1-9", "Similar ones: agent-1-3, agent-1-2, agent-1-1."],
    ["artifact://agnet-1-2", "Similar ones: agent-1-2."],
    ["else-1", "The newest: "],
  ])("%s: what could have been meant", async (address, hint) => {
    const store = openStore();
    for (const text of ["1", "2", "3"]) await saveText(store, text);
    await expect(findArtifact(store.root, address)).rejects.toMatchObject({
      code: "not-found",
      message: expect.stringMatching(/^There is no artifact .* Granary removes old artifacts \(artifacts\.keepDays, /),
    });
    await expect(findArtifact(store.root, address)).rejects.toThrow(hint);
  });

  test("because there are none", async () => {
    await expect(findArtifact(newRoot(), "agent-1-1")).rejects.toThrow("There are no artifacts.");
  });

  test.each(["../agent-1-1", "/etc/passwd", "agent-1-1/../../x", ""])("%j never leaves the store", async (address) => {
    const store = openStore();
    await saveText(store, "text");
    await expect(findArtifact(store.root, address)).rejects.toMatchObject({ code: "not-an-address" });
  });

  test("any more", async () => {
    const artifact = await artifactWith("text");
    await rm(artifact.path);
    await expect(textOf(readWholeArtifact(artifact))).rejects.toMatchObject({ code: "not-found" });
  });
});

test("a reader can stop", async () => {
  const artifact = await artifactWith("x".repeat(1_000_000));
  const stopped = AbortSignal.abort(new Error("enough"));
  await expect(textOf(readWholeArtifact(artifact, { signal: stopped }))).rejects.toThrow("enough");
  await expect(search(artifact, "y", { signal: stopped })).rejects.toThrow("enough");
});
