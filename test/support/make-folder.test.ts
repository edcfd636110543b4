import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeFolder, makeFolderSync } from "../../src/support/files/make-folder.ts";

describe.each([
  ["makeFolder", makeFolder],
  ["makeFolderSync", async (path: string, mode?: number) => makeFolderSync(path, mode)],
])("%s", (_name, make) => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "granary-make-folder-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("makes missing parts of a path, private on request", async () => {
    await make(join(folder, "a/b/c"), 0o700);
    for (const made of ["a", "a/b", "a/b/c"]) expect(statSync(join(folder, made)).mode & 0o777).toBe(0o700);
  });

  test("leaves existing folders unchanged", async () => {
    await make(join(folder, "a"), 0o750);
    await make(join(folder, "a"), 0o700);
    expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o750);
  });

  test("several callers may make the same one at once", async () => {
    await Promise.all(Array.from({ length: 20 }, () => make(join(folder, "a/b/c/d"))));
    expect(statSync(join(folder, "a/b/c/d")).isDirectory()).toBe(true);
  });

  test("a file in its way is an error", async () => {
    writeFileSync(join(folder, "file"), "");
    await expect(make(join(folder, "file"))).rejects.toMatchObject({ code: "EEXIST" });
    await expect(make(join(folder, "file/below"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  test.skipIf(process.platform !== "linux")("so is a parent in which nothing can be made", async () => {
    await expect(make("/proc/granary/below")).rejects.toMatchObject({ code: "ENOENT", path: "/proc/granary" });
  });
});
