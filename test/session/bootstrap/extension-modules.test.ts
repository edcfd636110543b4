import { execFileSync } from "node:child_process";
import { chmodSync, lchownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findModules } from "../../../src/session/bootstrap/extension-modules.ts";

describe("extension modules", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "granary-modules-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(path: string, content: string | Uint8Array = ""): string {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  const places = () => ({ home: join(folder, "home"), cwd: join(folder, "project") });
  const find = async (projectModules = true) =>
    (await findModules({ ...places(), projectModules, trustsFolder: async () => true })).modules;

  test("without their folders there are no modules", async () => {
    expect(await find()).toEqual([]);
  });

  test("a user's and a project's run in the order of their file names, each as it was read", async () => {
    const second = write("home/modules/b.py", "b = 'ü'");
    const first = write("project/.granary/modules/a.py", "a = 1");
    expect(await find()).toEqual([
      { name: "a.py", path: first, source: "a = 1", from: "project" },
      { name: "b.py", path: second, source: "b = 'ü'", from: "user" },
    ]);
  });

  test("a project's replaces the user's of the same name", async () => {
    write("home/modules/same.py", "from_user = 1");
    write("project/.granary/modules/same.py", "from_project = 1");
    expect((await find()).map((module) => module.source)).toEqual(["from_project = 1"]);
  });

  test("with project modules turned off, those of the folder are not even read", async () => {
    write("home/modules/same.py", "from_user = 1");
    write("project/.granary/modules/same.py", new Uint8Array([0xff]));
    expect((await find(false)).map((module) => module.source)).toEqual(["from_user = 1"]);
  });

  test("a folder without trust brings none; their names are known, so that a result can report them", async () => {
    write("home/modules/own.py", "own = 1");
    write("project/.granary/modules/evil.py", new Uint8Array([0xff]));
    const found = await findModules({ ...places(), projectModules: true, trustsFolder: async () => false });
    expect(found.modules.map(({ name }) => name)).toEqual(["own.py"]);
    expect(found.leftOut).toEqual(["evil.py"]);
  });

  test.skipIf(process.getuid?.() !== 0)("those of another user in a folder that all may write do not run", async () => {
    const own = write("project/.granary/modules/own.py", "own = 1");
    const evil = write("project/.granary/modules/evil.py", new Uint8Array([0xff]));
    symlinkSync(own, join(dirname(own), "linked.py"));
    for (const file of [evil, join(dirname(own), "linked.py")]) lchownSync(file, 4711, 4711);
    const project = places().cwd;
    const look = async () => {
      const found = await findModules({ ...places(), projectModules: true, trustsFolder: async () => true });
      return [found.modules.map(({ name }) => name), found.ofStrangers];
    };
    await expect(look()).rejects.toThrow("is not UTF-8 text");
    chmodSync(project, 0o1777);
    expect(await look()).toEqual([["own.py"], [".granary/modules/evil.py", ".granary/modules/linked.py"]]);
    chmodSync(project, 0o755);
    chmodSync(dirname(own), 0o777);
    expect((await look())[0]).toEqual(["own.py"]);
    chmodSync(project, 0o1777);
    lchownSync(dirname(own), 4711, 4711);
    expect(await look()).toEqual([[], [".granary/modules"]]);
    lchownSync(project, 4711, 4711);
    await expect(look()).rejects.toThrow("is not UTF-8 text");
  });

  test("modules in the home folder are the user's, not a project's", async () => {
    write(".granary/modules/a.py");
    const home = join(folder, ".granary");
    const trustsFolder = async () => false;
    const { modules } = await findModules({ home, cwd: folder, projectModules: true, trustsFolder });
    expect(modules.map((module) => module.from)).toEqual(["user"]);
  });

  test("folders, hidden files and other kinds of files are not modules; links to files are", async () => {
    mkdirSync(join(folder, "home/modules/folder.py"), { recursive: true });
    write("home/modules/.#draft.py");
    write("home/modules/notes.txt");
    symlinkSync(write("elsewhere/real.py", "real = 1"), join(folder, "home/modules/linked.py"));
    expect((await find()).map((module) => module.name)).toEqual(["linked.py"]);
  });

  test("one that cannot be read stops the start, with its name and what to do", async () => {
    const file = write("home/modules/binary.py", new Uint8Array([0x61, 0xff]));
    await expect(find()).rejects.toMatchObject({
      code: "start-failed",
      message: `The module ${file} is not UTF-8 text. Save it as UTF-8, or move it out of that folder.`,
    });
    rmSync(file);
    const broken = join(folder, "home/modules/broken.py");
    symlinkSync("nowhere", broken);
    await expect(find()).rejects.toMatchObject({ code: "start-failed", details: { file: broken } });
  });

  test("so does a named pipe, instead of waiting for a writer", async () => {
    mkdirSync(join(folder, "home/modules"), { recursive: true });
    const pipe = join(folder, "home/modules/pipe.py");
    execFileSync("/usr/bin/mkfifo", [pipe]);
    const message = `The module ${pipe} is not a file but a folder, a pipe, a socket or a device. Move it out of the way.`;
    await expect(find()).rejects.toMatchObject({ code: "start-failed", message, details: { file: pipe } });
  });

  test.skipIf(process.getuid?.() === 0)("so does a folder that cannot be read", async () => {
    write("home/modules/a.py");
    chmodSync(join(folder, "home/modules"), 0o000);
    try {
      await expect(find()).rejects.toMatchObject({ code: "start-failed" });
    } finally {
      chmodSync(join(folder, "home/modules"), 0o755);
    }
  });
});
