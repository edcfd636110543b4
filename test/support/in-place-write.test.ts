import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeFileAtomically } from "../../src/support/files/atomic-write.ts";
import { whileLocked } from "../../src/support/files/locked-file.ts";
import { repetitions } from "../environment/variants.ts";

let folder: string;
const inFolder = (name: string) => join(folder, name);
const textOf = (name: string) => readFileSync(inFolder(name), "utf8");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "granary-links-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a file with several names", () => {
  beforeEach(() => {
    writeFileSync(inFolder("a.txt"), "old");
    linkSync(inFolder("a.txt"), inFolder("b.txt"));
  });

  test.each(["longer than before", "s", ""])("has the new content under all of them: %j", async (content) => {
    await writeFileAtomically(inFolder("a.txt"), content);
    expect([textOf("a.txt"), textOf("b.txt")]).toEqual([content, content]);
    expect(statSync(inFolder("a.txt")).nlink).toBe(2);
    expect(readdirSync(folder).sort()).toEqual(["a.txt", "b.txt"]);
  });

  test("has it when written through a symbolic link", async () => {
    symlinkSync("b.txt", inFolder("link.txt"));
    await writeFileAtomically(inFolder("link.txt"), "new");
    expect([textOf("a.txt"), textOf("b.txt")]).toEqual(["new", "new"]);
  });

  test("keeps mode and owner", async () => {
    if (process.getuid?.() === 0) chownSync(inFolder("a.txt"), 1234, 2345);
    chmodSync(inFolder("a.txt"), 0o2751);
    const before = statSync(inFolder("a.txt"));
    await writeFileAtomically(inFolder("a.txt"), "new");
    const { mode, uid, gid, ino } = statSync(inFolder("a.txt"));
    expect({ mode: mode & 0o7777, uid, gid, ino }).toEqual({
      mode: 0o2751,
      uid: before.uid,
      gid: before.gid,
      ino: before.ino,
    });
  });

  test("stays unchanged when the caller refuses at the last moment", async () => {
    const beforeReplacing = () => Promise.reject(new Error("not now"));
    await expect(writeFileAtomically(inFolder("a.txt"), "new", { beforeReplacing })).rejects.toThrow("not now");
    expect(textOf("b.txt")).toBe("old");
    expect(readdirSync(folder).sort()).toEqual(["a.txt", "b.txt"]);
  });

  test("is written by one process at a time, under any of its names", async () => {
    const contents = ["x", "y", "z"].map((letter) => letter.repeat(300_000));
    const names = ["a.txt", "b.txt", "a.txt"];
    await Promise.all(contents.map((content, at) => writeFileAtomically(inFolder(names[at] as string), content)));
    expect(contents).toContain(textOf("a.txt"));
    expect(readdirSync(folder).sort()).toEqual(["a.txt", "b.txt"]);
  });

  test.skipIf(!canMount())(
    "has its old content, and nothing else is left, when the disk fills up during the write",
    () => {
      // The disk has room for both copies, but not for a larger file.
      const disk = inFolder("disk");
      const write = `
      const { writeFileAtomically } = await import("./dist/support/files/atomic-write.js");
      const path = ${JSON.stringify(join(disk, "a.txt"))};
      await writeFileAtomically(path, Buffer.alloc(SIZE, "n")).catch((error) => console.log(error.code));
    `;
      execFileSync("mkdir", [disk]);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]);
      try {
        const old = "o".repeat(100_000);
        writeFileSync(join(disk, "a.txt"), old);
        linkSync(join(disk, "a.txt"), join(disk, "b.txt"));
        for (const size of [400_000, 500_000, 700_000, 2_000_000]) {
          const said = execFileSync(process.execPath, [
            "--input-type=module",
            "-e",
            write.replace("SIZE", String(size)),
          ]);
          const content = readFileSync(join(disk, "b.txt"), "utf8");
          if (said.toString() === "") expect(content).toBe("n".repeat(size));
          else expect([said.toString(), content]).toEqual(["ENOSPC\n", old]);
          expect(readdirSync(disk).sort()).toEqual(["a.txt", "b.txt"]);
          writeFileSync(join(disk, "a.txt"), old);
        }
      } finally {
        execFileSync("umount", [disk]);
      }
    },
  );
});

describe("the rest of a writer that was killed during a write", () => {
  const leftBehind = (now: string, before: string, after: string) => {
    const ended = spawnSync("true").pid;
    const record = { pid: ended, began: null, host: hostname(), word: "theirs" };
    writeFileSync(inFolder(".a.txt.lock"), JSON.stringify(record));
    writeFileSync(inFolder(".a.txt.0123456789ab.old"), before);
    writeFileSync(inFolder(".a.txt.0123456789ab.new"), after);
    writeFileSync(inFolder("a.txt"), now);
  };
  const next = async () => {
    await whileLocked(inFolder("a.txt"), {}, async () => undefined);
    expect(readdirSync(folder)).toEqual(["a.txt"]);
    return textOf("a.txt");
  };

  test("is finished by the next one, wherever it stopped", async () => {
    const text = fc.string({ maxLength: 12, unit: fc.constantFrom("a", "b", "\n") });
    await fc.assert(
      fc.asyncProperty(text, text, fc.nat({ max: 12 }), async (before, after, stop) => {
        const half = after.slice(0, stop) + before.slice(Math.min(stop, after.length));
        leftBehind(half, before, after);
        // With nothing or everything written, there is nothing to finish.
        expect(await next()).toBe(half === before ? before : after);
      }),
      { numRuns: repetitions(150) },
    );
  });

  test("is only removed when another program has saved the file since", async () => {
    leftBehind("theirs", "old content", "new content");
    expect(await next()).toBe("theirs");
  });

  test("is only removed when its copies were incomplete", async () => {
    leftBehind("old content", "old", "new co");
    renameSync(inFolder(".a.txt.0123456789ab.old"), inFolder(".a.txt.0123456789ab.tmp"));
    expect(await next()).toBe("old content");
  });
});

describe("copies that are no copies, in a folder that others may write", () => {
  const inNew = (path: string) => {
    writeFileSync(path, "");
    return path;
  };
  /** As a cell could prepare them: the lock of an ended process, and copies that fit to an empty file. */
  const forged = (make: (copy: string) => void) => {
    writeFileSync(inFolder("a.txt"), "");
    writeFileSync(inFolder(".a.txt.0123456789ab.old"), "x");
    make(inFolder(".a.txt.0123456789ab.new"));
    const record = { pid: spawnSync("true").pid, began: null, host: hostname(), word: "theirs" };
    writeFileSync(inFolder(".a.txt.lock"), JSON.stringify(record));
  };

  test.each<[string, (copy: string) => void]>([
    ["a link to a file", (copy) => symlinkSync(inFolder("secret"), copy)],
    ["a pipe", (copy) => execFileSync("mkfifo", [copy])],
    ["a link to a device", (copy) => symlinkSync("/dev/zero", copy)],
    ["a file of any size", (copy) => truncateSync(inNew(copy), 2 ** 40)],
  ])("are removed, and nothing gets into the file: %s", async (_, make) => {
    writeFileSync(inFolder("secret"), "private key");
    forged(make);
    await whileLocked(inFolder("a.txt"), {}, async () => undefined);
    expect(textOf("a.txt")).toBe("");
    expect(textOf("secret")).toBe("private key");
    expect(readdirSync(folder).sort()).toEqual(["a.txt", "secret"]);
  });

  test("do not replace those of a writer that is at work", async () => {
    writeFileSync(inFolder("a.txt"), "old");
    linkSync(inFolder("a.txt"), inFolder("b.txt"));
    writeFileSync(inFolder("secret"), "private key");
    const beforeReplacing = () => {
      const copy = readdirSync(folder).find((name) => name.endsWith(".new")) as string;
      rmSync(inFolder(copy));
      symlinkSync("secret", inFolder(copy));
    };
    await expect(writeFileAtomically(inFolder("a.txt"), "new", { beforeReplacing })).rejects.toThrow("ELOOP");
    expect([textOf("a.txt"), textOf("secret")]).toEqual(["old", "private key"]);
  });
});

function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), "granary-mount-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", probe]).status === 0;
  if (mounted) spawnSync("umount", [probe]);
  rmSync(probe, { recursive: true });
  return mounted;
}
