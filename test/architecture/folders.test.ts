import { posix } from "node:path";
import { expect, test } from "vitest";
import { filesBelow } from "./source-files.ts";

const most = 15;

test.each([
  ["src", ".ts"],
  ["python/granary_runner", ".py"],
])(`no folder of %s holds more than ${most} files beside each other`, (root, ending) => {
  const counts = new Map<string, number>();
  for (const file of filesBelow(root)) {
    if (!file.endsWith(ending) || posix.basename(file) === "__init__.py") continue;
    const folder = posix.join(root, posix.dirname(file));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect(counts.size).toBeGreaterThan(0);
  expect([...counts].filter(([, count]) => count > most)).toEqual([]);
});
