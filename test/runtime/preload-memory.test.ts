import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isHarmless } from "../../src/runtime/warm/harmless-modules.ts";
import { PreloadMemory } from "../../src/runtime/warm/preload-memory.ts";
import { temporaryFolder } from "./runtimes.ts";

const day = (number: number) => () => new Date(Date.UTC(2026, 0, 1 + number));
const refusal = (module: string) => ({ module, why: "it starts threads", spoils: true });

test("what a folder's cells used is wanted there, by any later process, and nowhere else", () => {
  const home = temporaryFolder();
  new PreloadMemory(home, "/a").learn(["numpy", "pandas"]);
  new PreloadMemory(home, "/a").learn(["pandas", "scipy.stats"]);
  expect(new PreloadMemory(home, "/a").wanted()).toEqual(["numpy", "pandas", "scipy.stats"]);
  expect(new PreloadMemory(home, "/b").wanted()).toEqual([]);
});

test("a module that was dropped is not wanted for a month, and then tried again", () => {
  const home = temporaryFolder();
  new PreloadMemory(home, "/a", day(0)).learn(["polars", "numpy"]);
  new PreloadMemory(home, "/a", day(0)).drop(refusal("polars"));
  new PreloadMemory(home, "/a", day(20)).learn(["polars", "numpy"]);
  expect(new PreloadMemory(home, "/a", day(20)).wanted()).toEqual(["numpy"]);
  expect(new PreloadMemory(home, "/a", day(20)).allowed(["polars", "x"])).toEqual(["x"]);
  expect(new PreloadMemory(home, "/a", day(31)).wanted()).toEqual(["polars", "numpy"]);
});

test("of what cells used, packages that are known to be harmless are imported ahead", () => {
  const memory = new PreloadMemory(temporaryFolder(), "/a");
  const safe = ["numpy", "matplotlib.pyplot", "sklearn.cluster"];
  const others = ["faker", "numpy_groupies", "sklearn.experimental.enable_iterative_imputer", "seaborn"];
  memory.learn([...others, ...safe]);
  expect(memory.wanted(isHarmless)).toEqual(safe);
  expect(memory.unwanted(isHarmless)).toEqual(others);
  memory.drop(refusal("seaborn"));
  expect(memory.unwanted(isHarmless)).not.toContain("seaborn");
});

test("a module that nobody used for a month is forgotten, and there are never more than twenty", () => {
  const memory = (number: number) => new PreloadMemory(home, "/a", day(number));
  const home = temporaryFolder();
  memory(0).learn(["old"]);
  memory(40).learn(Array.from({ length: 30 }, (_, index) => `m${index}`));
  expect(memory(40).wanted()).toEqual(Array.from({ length: 20 }, (_, index) => `m${index}`));
});

test("a file that is damaged, of another folder or cannot be written is as good as none", () => {
  const home = temporaryFolder();
  new PreloadMemory(home, "/a").learn(["numpy"]);
  const [name = ""] = readdirSync(join(home, "preload"));
  for (const text of [
    "",
    "{",
    "null",
    "[]",
    '{"folder":"/b","used":{"x":"2026-01-01"}}',
    '{"folder":"/a","used":{"x":3}}',
    '{"folder":"/a","used":null,"dropped":5}',
    '{"folder":"/a","used":["2026-01-01"],"dropped":{}}',
    '{"folder":"/a","used":{},"dropped":{"x":null}}',
    '{"folder":"/a","used":{},"dropped":{"x":{"since":"2026-01-01"}}}',
  ]) {
    writeFileSync(join(home, "preload", name), text);
    const memory = new PreloadMemory(home, "/a");
    expect([memory.wanted(), [...memory.dropped()]]).toEqual([[], []]);
    memory.learn(["pandas"]);
    expect(memory.wanted()).toEqual(["pandas"]);
  }
  const blocked = temporaryFolder();
  writeFileSync(join(blocked, "preload"), "a file");
  new PreloadMemory(blocked, "/a").learn(["numpy"]);
  expect(new PreloadMemory(blocked, "/a").wanted()).toEqual([]);
  new PreloadMemory("/proc/granary", "/a").learn(["numpy"]); // where Node's own recursive mkdir never returns
});

test("a folder that nobody used for a month is forgotten when another one comes", () => {
  const home = temporaryFolder();
  const month = new Date(Date.now() - 31 * 24 * 3_600_000);
  for (const folder of ["/a", "/b"]) new PreloadMemory(home, folder).learn(["numpy"]);
  const [file = ""] = readdirSync(join(home, "preload"));
  utimesSync(join(home, "preload", file), month, month);
  new PreloadMemory(home, "/c").learn(["pandas"]);
  const files = readdirSync(join(home, "preload"));
  expect(files.length).toBe(2);
  expect(files).not.toContain(file);
});

test("whatever is learned and dropped, what is wanted was learned and not dropped", () => {
  const name = fc.constantFrom("a", "b.c", "__proto__", "constructor", "d");
  const step = fc.record({ drops: fc.boolean(), name });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const home = temporaryHome();
      const [used, dropped] = [new Set<string>(), new Set<string>()];
      for (const { drops, name } of steps) {
        const memory = new PreloadMemory(home, "/a", day(0));
        if (drops) memory.drop(refusal(name));
        else memory.learn([name]);
        (drops ? dropped : used).add(name);
      }
      const wanted = new PreloadMemory(home, "/a", day(0)).wanted();
      expect(new Set(wanted)).toEqual(new Set([...used].filter((name) => !dropped.has(name))));
    }),
    { numRuns: 50 },
  );
});

const homes = temporaryFolder();
let count = 0;

function temporaryHome(): string {
  const home = join(homes, String(count++));
  mkdirSync(home);
  return home;
}
