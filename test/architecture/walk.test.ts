import { dirname } from "node:path";
import { expect, test } from "vitest";
import { filesOfOneCell } from "../../scripts/walk.mjs";
import { newestPython } from "../environment/pythons.ts";

/** A reader who follows one cell opens so many files at most. Run only what a plain cell needs: `node scripts/walk.mjs`. */
const most = 110;

test(`one cell of granary run walks through at most ${most} source files`, () => {
  const files = filesOfOneCell({ PATH: `${dirname(newestPython().path)}:/usr/bin:/bin`, HOME: "/nowhere" });
  expect(files).toContain("session/cell/run-cell.ts");
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(most);
});
