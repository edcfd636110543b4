import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeFileAtomically } from "../../src/support/files/atomic-write.ts";

describe("writing a file atomically", () => {
  let folder: string;
  const inFolder = (name: string) => join(folder, name);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "granary-write-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test("creates a file with the requested mode, and leaves nothing else behind", async () => {
    await writeFileAtomically(inFolder("new.txt"), "content", { mode: 0o600 });
    expect(await readFile(inFolder("new.txt"), "utf8")).toBe("content");
    expect((await stat(inFolder("new.txt"))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["new.txt"]);
  });

  test("writes bytes unchanged", async () => {
    await writeFileAtomically(inFolder("bytes"), Uint8Array.of(0, 255, 10));
    expect([...(await readFile(inFolder("bytes")))]).toEqual([0, 255, 10]);
  });

  test("writes many pieces one after the other", async () => {
    await writeFileAtomically(inFolder("pieces"), [Buffer.from("one "), Buffer.alloc(0), Buffer.from("two")]);
    expect(await readFile(inFolder("pieces"), "utf8")).toBe("one two");
  });

  test("asks before it replaces the old file, which a refusal leaves unchanged", async () => {
    await writeFile(inFolder("old.txt"), "old");
    const refusal = new Error("not now");
    const beforeReplacing = async () => {
      expect(await readFile(inFolder("old.txt"), "utf8")).toBe("old");
      throw refusal;
    };
    await expect(writeFileAtomically(inFolder("old.txt"), "new", { beforeReplacing })).rejects.toBe(refusal);
    expect(await readFile(inFolder("old.txt"), "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["old.txt"]);
  });

  test("replaces a file and keeps its permissions", async () => {
    await writeFile(inFolder("old.txt"), "old");
    await chmod(inFolder("old.txt"), 0o640);
    await writeFileAtomically(inFolder("old.txt"), "new", { mode: 0o666 });
    expect(await readFile(inFolder("old.txt"), "utf8")).toBe("new");
    expect((await stat(inFolder("old.txt"))).mode & 0o777).toBe(0o640);
  });

  test("writes through a symbolic link, which stays one", async () => {
    await writeFile(inFolder("target.txt"), "old");
    await symlink("target.txt", inFolder("link.txt"));
    await writeFileAtomically(inFolder("link.txt"), "new");
    expect((await lstat(inFolder("link.txt"))).isSymbolicLink()).toBe(true);
    expect(await readFile(inFolder("target.txt"), "utf8")).toBe("new");
  });

  test("a reader never sees a part of the content", async () => {
    const versions = ["a", "b", "c"].map((letter) => letter.repeat(500_000));
    await writeFile(inFolder("shared"), versions[0] ?? "");
    const writing = Promise.all(versions.map((version) => writeFileAtomically(inFolder("shared"), version)));
    let isWritten = false;
    void writing.finally(() => {
      isWritten = true;
    });
    while (!isWritten) expect(versions).toContain(await readFile(inFolder("shared"), "utf8"));
    await writing;
  });

  test("a write that fails leaves the old content and no draft", async () => {
    await mkdir(inFolder("occupied"));
    await writeFile(inFolder("occupied/file"), "");
    await expect(writeFileAtomically(inFolder("occupied"), "new")).rejects.toThrow();
    expect(await readdir(folder)).toEqual(["occupied"]);
  });
});
