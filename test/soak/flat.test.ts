import { expect, test } from "vitest";
import { notFlat, type Sample, trendOf } from "./flat.ts";

const samples = (count: number, at: (index: number) => Partial<Sample>): readonly Sample[] =>
  Array.from({ length: count }, (_, index) => ({
    megabytes: 100,
    usedMegabytes: 50,
    descriptors: 30,
    children: 3,
    ...at(index),
  }));

const found = (given: readonly Sample[]) => notFlat("the host", trendOf(given, { warmUp: 0.25 }), 0.05);

test("memory that goes up and down is flat, and so is memory that grew during the warm-up", () => {
  expect(found(samples(40, (index) => ({ megabytes: 100 + (index % 5) * 3 })))).toEqual([]);
  expect(found(samples(40, (index) => ({ megabytes: Math.min(100, 60 + index * 4) })))).toEqual([]);
});

test("a leak of a fifth of a percent in each round is found", () => {
  expect(found(samples(60, (index) => ({ megabytes: 100 + index * 0.2 })))).toEqual([
    "the host grew from 104.4 to 110.4 MB",
  ]);
});

test("a kernel may grow by the history of its cells, and by no more", () => {
  const kernel = (perRound: number) =>
    notFlat(
      "the kernel",
      trendOf(
        samples(400, (index) => ({ megabytes: 15 + index * perRound })),
        { warmUp: 0.25, historyMegabytes: 0.004 },
      ),
      0.05,
    );
  expect(kernel(0.004)).toEqual([]);
  expect(kernel(0.012)).toHaveLength(1);
});

test("descriptors and processes that are left are found", () => {
  expect(found(samples(60, (index) => ({ descriptors: 30 + Math.floor(index / 10) })))).toEqual([
    "the host has 35 descriptors, and had 32",
  ]);
  expect(found(samples(60, (index) => ({ children: 3 + Math.floor(index / 10) })))).toEqual([
    "the host has 8 children, and had 5",
  ]);
});
