import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as look from "../../src/support/files/look.ts";
import * as directly from "../../src/support/files/look-directly.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "granary-look-"));
  mkdirSync(join(folder, "inside"));
  writeFileSync(join(folder, "text"), "#! /bin/sh\n", { mode: 0o755 });
  symlinkSync("text", join(folder, "link"));
  symlinkSync("nowhere", join(folder, "broken"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("both ways to look at files have the same questions", () => {
  expect(Object.keys(directly).sort()).toEqual(Object.keys(look).sort());
});

test.each(["text", "link", "inside", "broken", "missing", "text/below"])(
  "both ways give the same answer: %s",
  async (name) => {
    const path = join(folder, name);
    expect(await answers(directly, path)).toEqual(await answers(look, path));
  },
);

/** What each question answers, or why it fails. */
async function answers(way: typeof look, path: string): Promise<readonly unknown[]> {
  const asked = [
    way.access(path, 1),
    way.isPresent(path),
    way.mayBePresent(path),
    way.lstat(path).then(({ ino, mode }) => [ino, mode]),
    way.stat(path, { bigint: true }).then(({ mtimeNs, size }) => [mtimeNs, size]),
    way.realpath(path),
    way.readFile(path, "utf8"),
    way.readSmallFile(path),
    way.readdir(path, { withFileTypes: true }).then((entries) => entries.map((entry) => entry.name)),
    way.open(path).then(async (file) => {
      const read = await file.read(Buffer.alloc(2), 0, 2).catch((error: NodeJS.ErrnoException) => error.code);
      await file.close();
      return typeof read === "object" ? read.buffer.toString() : read;
    }),
  ];
  return Promise.all(asked.map((answer) => answer.catch((error: NodeJS.ErrnoException) => error.code)));
}
