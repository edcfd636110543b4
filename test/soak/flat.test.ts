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

const found = (given: readonly Sample[]) => notFlat("the host", trendOf(given, 0.25), 0.05);

test("memory that goes up and down is flat, and so is memory that grew during the warm-up", () => {
  expect(found(samples(40, (index) => ({ megabytes: 100 + (index % 5) * 3 })))).toEqual([]);
  expect(found(samples(40, (index) => ({ megabytes: Math.min(100, 60 + index * 4) })))).toEqual([]);
});

test("a leak of a fifth of a percent in each round is found", () => {
  expect(found(samples(60, (index) => ({ megabytes: 100 + index * 0.2 })))).toEqual([
    "the host grew from 104.4 to 110.4 MB",
  ]);
});

test("descriptors and processes that are left are found", () => {
  expect(found(samples(60, (index) => ({ descriptors: 30 + Math.floor(index / 10) })))).toEqual([
    "the host has 35 descriptors, and had 32",
  ]);
  expect(found(samples(60, (index) => ({ children: 3 + Math.floor(index / 10) })))).toEqual([
    "the host has 8 children, and had 5",
  ]);
});
