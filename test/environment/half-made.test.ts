import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { folderToMake } from "./half-made.mjs";

test("an environment that a stopped run left half-made is removed by the next one; those of others stay", () => {
  const environment = join(mkdtempSync(join(tmpdir(), "granary-half-made-")), "main-0123");
  const { pid: ended } = spawnSync("true");
  const [mine, stopped, other, complete] = [
    folderToMake(environment),
    ...[`${environment}-by-${ended}-abc123`, `${environment}4-by-${ended}-abc123`, environment],
  ].map((path) => basename(path));
  for (const name of [stopped, other, complete]) mkdirSync(join(environment, "..", name as string));
  const next = basename(folderToMake(environment));
  expect(readdirSync(join(environment, "..")).sort()).toEqual([complete, mine, next, other].sort());
});
