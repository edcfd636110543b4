import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeFileAtomically } from "../../src/support/files/atomic-write.ts";
import { takeLock } from "../../src/support/files/file-lock.ts";
import { whileLocked } from "../../src/support/files/locked-file.ts";

let folder: string;
const inFolder = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "granary-locked-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a file is locked by a hidden file beside it, which is deleted afterwards", async () => {
  await whileLocked(inFolder("a.txt"), {}, async () => {
    expect(readdirSync(folder)).toEqual([".a.txt.lock"]);
    expect(JSON.parse(readFileSync(inFolder(".a.txt.lock"), "utf8"))).toMatchObject({ pid: process.pid });
  });
  expect(readdirSync(folder)).toEqual([]);
});

test("all links to a file and to its folder lead to the same lock", async () => {
  mkdirSync(inFolder("real"));
  writeFileSync(inFolder("real/a.txt"), "");
  symlinkSync("real/a.txt", inFolder("b.txt"));
  symlinkSync("real", inFolder("alias"));
  let inside = 0;
  const work = async () => {
    expect(++inside).toBe(1);
    expect(readdirSync(inFolder("real"))).toContain(".a.txt.lock");
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
  };
  const names = ["real/a.txt", "b.txt", "alias/a.txt", "real/../alias/a.txt"];
  await Promise.all([...names, ...names].map((name) => whileLocked(inFolder(name), {}, work)));
});

test("a file that does not exist yet can be locked, even through a link to its folder", async () => {
  mkdirSync(inFolder("real"));
  symlinkSync("real", inFolder("alias"));
  await whileLocked(inFolder("alias/new.txt"), {}, async () => {
    expect(readdirSync(inFolder("real"))).toEqual([".new.txt.lock"]);
  });
});

test("where no lock can be made, the work runs without one", async () => {
  expect(await whileLocked(inFolder("missing/a.txt"), {}, async () => "done")).toBe("done");
  mkdirSync(inFolder(".a.txt.lock"));
  expect(await whileLocked(inFolder("a.txt"), {}, async () => "done")).toBe("done");
  symlinkSync("nowhere", inFolder(".b.txt.lock"));
  expect(await whileLocked(inFolder("b.txt"), {}, async () => "done")).toBe("done");
});

test("a failure of the work is passed on, and the lock is released", async () => {
  const failing = whileLocked(inFolder("a.txt"), {}, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect(readdirSync(folder)).toEqual([]);
});

test("waiting for the lock can be cancelled", async () => {
  const lock = await takeLock(inFolder(".a.txt.lock"));
  const cancelled = whileLocked(inFolder("a.txt"), { signal: AbortSignal.timeout(30) }, async () => "never");
  await expect(cancelled).rejects.toThrow(/timeout/i);
  await lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

test("the next writer removes a killed writer's lock and draft, and no other file", async () => {
  const ended = spawnSync("true").pid;
  writeFileSync(inFolder(".a.txt.lock"), JSON.stringify({ pid: ended, began: null, host: hostname(), word: "theirs" }));
  for (const name of ["a.txt", ".a.txt.0123456789ab.tmp", ".a.txt.notes.tmp", ".b.txt.0123456789ab.tmp"]) {
    writeFileSync(inFolder(name), "");
  }
  await whileLocked(inFolder("a.txt"), {}, async () => undefined);
  expect(readdirSync(folder).sort()).toEqual([".a.txt.notes.tmp", ".b.txt.0123456789ab.tmp", "a.txt"]);
});

test("a file with the longest possible name is locked and written", async () => {
  const path = inFolder(`${"n".repeat(249)}.ipynb`);
  await whileLocked(path, {}, async () => {
    expect(readdirSync(folder)).toHaveLength(1);
    await writeFileAtomically(path, "content");
  });
  expect(readdirSync(folder)).toEqual([`${"n".repeat(249)}.ipynb`]);
});
