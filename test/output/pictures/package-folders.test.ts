import { expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { packageFolders } from "../../../src/output/pictures/package-folders.ts";

test("optional packages are looked for where Granary was installed, and in no folder above", () => {
  expect(packageFolders()).toEqual([inRepository("node_modules")]);
});
