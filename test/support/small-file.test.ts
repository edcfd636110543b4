import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSmallFile, readSmallFileSync } from "../../src/support/files/foreign/regular-file.ts";

let folder: string;
const inFolder = (name: string) => join(folder, name);
const long = "é".repeat(300_000);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "granary-small-"));
  mkdirSync(inFolder("folder"));
  writeFileSync(inFolder("text"), long);
  writeFileSync(inFolder("empty"), "");
  writeFileSync(inFolder("huge"), "");
  truncateSync(inFolder("huge"), 2 ** 40);
  execFileSync("mkfifo", [inFolder("pipe")]);
  symlinkSync("text", inFolder("link"));
  symlinkSync("pipe", inFolder("link to pipe"));
  symlinkSync("/dev/zero", inFolder("link to device"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ["readSmallFile", readSmallFile],
  ["readSmallFileSync", async (...asked: Parameters<typeof readSmallFileSync>) => readSmallFileSync(...asked)],
])("%s", (_, read) => {
  test("gives the whole text, also through a link", async () => {
    expect(await read(inFolder("text"))).toBe(long);
    expect(await read(inFolder("link"))).toBe(long);
    expect(await read(inFolder("empty"))).toBe("");
  });

  test.each([
    ["pipe", "ENXIO"],
    ["link to pipe", "ENXIO"],
    ["link to device", "ENXIO"],
    ["folder", "EISDIR"],
    ["missing", "ENOENT"],
    ["huge", "ERR_FS_FILE_TOO_LARGE"],
  ])("neither blocks nor reads without end: %s", async (name, code) => {
    await expect(read(inFolder(name))).rejects.toMatchObject({ code });
  });

  test("refuses links and larger files where the caller says so", async () => {
    await expect(read(inFolder("link"), { mayBeLink: false })).rejects.toMatchObject({ code: "ELOOP" });
    const mostBytes = Buffer.byteLength(long);
    expect(await read(inFolder("text"), { mostBytes })).toBe(long);
    const tooLarge = read(inFolder("text"), { mostBytes: mostBytes - 1 });
    await expect(tooLarge).rejects.toMatchObject({ code: "ERR_FS_FILE_TOO_LARGE" });
  });
});
