import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeHostileFolder, unlockFolders } from "../../src/support/files/owned-folder.ts";

describe.skipIf(process.platform !== "linux")("a folder in which code took its owner's rights away", () => {
  let base: string;
  const at = (name: string): string => join(base, name);
  const mode = (path: string): string => (statSync(path).mode & 0o7777).toString(8);
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), "granary-hostile-"));
    for (const name of ["outside/folder", "hostile/locked/inner"]) mkdirSync(at(name), { recursive: true });
    writeFileSync(at("outside/file"), "");
    chmodSync(at("outside/file"), 0o400);
    chmodSync(at("outside/folder"), 0o500);
    linkSync(at("outside/file"), at("hostile/locked/inner/second-name"));
    symlinkSync(at("outside/file"), at("hostile/locked/link"));
    symlinkSync(at("outside/folder"), at("hostile/locked/link-to-folder"));
    symlinkSync(at("outside/folder"), at("hostile/way"));
    execFileSync("/bin/sh", ["-c", 'mkdir -p "$1/$(printf "\\377")/deep"', "sh", at("hostile")]);
    for (const name of ["hostile/locked/inner", "hostile/locked"]) chmodSync(at(name), 0);
  });
  afterEach(() => {
    unlockFolders(base);
    rmSync(base, { recursive: true });
  });

  test("gets them back on every folder, and on nothing that links lead to", () => {
    unlockFolders(at("hostile"));
    expect([at("hostile"), at("hostile/locked"), at("hostile/locked/inner")].map(mode)).toEqual(["700", "700", "700"]);
    expect([at("outside/file"), at("outside/folder")].map(mode)).toEqual(["400", "500"]);
    expect(execFileSync("find", [at("hostile"), "-type", "d", "!", "-perm", "700"], { encoding: "utf8" })).toBe("");
  });

  test("a link in the folder's own place is not followed", () => {
    unlockFolders(at("hostile/way"));
    expect(mode(at("outside/folder"))).toBe("500");
  });

  test("is removed, and the other names of its files keep their modes", () => {
    removeHostileFolder(at("hostile"));
    expect(() => statSync(at("hostile"))).toThrow("ENOENT");
    expect(mode(at("outside/file"))).toBe("400");
  });
});
