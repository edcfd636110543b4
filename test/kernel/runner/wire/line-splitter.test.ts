import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "../../../../src/kernel/runner/wire/line-splitter.ts";
import { chunked } from "./marks.ts";

test("lines are the same however their bytes are chunked", () => {
  const lines = fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 50 }));
  const rest = fc.string({ unit: "grapheme-ascii", maxLength: 50 });
  fc.assert(
    fc.property(lines, rest, fc.infiniteStream(fc.integer({ min: 1, max: 40 })), (lines, rest, sizes) => {
      const seen: string[] = [];
      const splitter = new LineSplitter((line) => seen.push(line));
      const text = lines.map((line) => `${line}\n`).join("") + rest;
      for (const chunk of chunked(Buffer.from(text), sizes)) splitter.push(chunk);
      expect(seen).toEqual(lines);
      expect(splitter.rest()).toBe(rest);
    }),
  );
});

test("a line of megabytes in small pieces is put together once, at its end", () => {
  const seen: string[] = [];
  const splitter = new LineSplitter((line) => seen.push(line));
  const piece = Buffer.from("x".repeat(1000));
  for (let i = 0; i < 20_000; i++) splitter.push(piece);
  splitter.push(Buffer.from("\n"));
  expect(seen.map((line) => line.length)).toEqual([20_000_000]);
});
