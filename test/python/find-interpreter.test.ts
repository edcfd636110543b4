import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findInterpreter } from "../../src/python/find-interpreter.ts";
import { NoPythonError } from "../../src/python/no-python-error.ts";
import { newestPython, oldestPython } from "../environment/pythons.ts";

const python = newestPython().path;

describe("finding a Python", () => {
  let folder: string;
  const inFolder = (name: string) => join(folder, name);
  const find = (env: Record<string, string> = {}, explicit?: string) =>
    findInterpreter({ cwd: folder, env, ...(explicit === undefined ? {} : { explicit }) });

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "granary-find-")));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function addLink(name: string, target: string): Promise<void> {
    await mkdir(dirname(inFolder(name)), { recursive: true });
    await symlink(target, inFolder(name));
  }

  async function addScript(name: string, lines: readonly string[]): Promise<void> {
    await mkdir(dirname(inFolder(name)), { recursive: true });
    await writeFile(inFolder(name), ["#!/bin/sh", ...lines, ""].join("\n"));
    await chmod(inFolder(name), 0o755);
  }

  describe("looks in this order", () => {
    beforeEach(async () => {
      for (const prefix of ["active", ".venv", "venv"]) await addLink(`${prefix}/bin/python`, python);
      await addLink("path/python3", python);
      await addLink("path/python", python);
    });
    const forget = (name: string) => rm(inFolder(name), { recursive: true });

    test("VIRTUAL_ENV, .venv, venv, then python3 and python on PATH", async () => {
      const env = { PATH: inFolder("path"), VIRTUAL_ENV: inFolder("active") };
      const order = ["active/bin/python", ".venv/bin/python", "venv/bin/python", "path/python3", "path/python"];
      for (const name of order) {
        expect((await find(env)).executable).toBe(inFolder(name));
        await forget(name);
      }
      await expect(find(env)).rejects.toThrow(NoPythonError);
    });

    test("a named interpreter comes before all", async () => {
      const found = await find({ VIRTUAL_ENV: inFolder("active") }, "path/python3");
      expect(found).toEqual({ executable: inFolder("path/python3"), source: "explicit", virtualEnvironment: null });
    });

    test("python3 anywhere on PATH comes before python", async () => {
      await addLink("first/python", python);
      await forget(".venv");
      await forget("venv");
      expect((await find({ PATH: `${inFolder("first")}:${inFolder("path")}` })).executable).toBe(
        inFolder("path/python3"),
      );
    });
  });

  test("says which virtual environment a Python belongs to, however it was found", async () => {
    execFileSync(python, ["-m", "venv", "--without-pip", inFolder("made")]);
    const expected = { executable: inFolder("made/bin/python3"), virtualEnvironment: inFolder("made") };
    expect(await find({ PATH: inFolder("made/bin") })).toMatchObject(expected);
    expect(await find({}, "made/bin/python3")).toMatchObject(expected);
  });

  test("a folder on PATH that is not absolute is passed over", async () => {
    await addLink("python3", python);
    await expect(find({ PATH: ".:" })).rejects.toThrow(NoPythonError);
  });

  test("a tilde means the home folder", async () => {
    await addLink("home/python3", python);
    expect((await find({ HOME: inFolder("home") }, "~/python3")).executable).toBe(inFolder("home/python3"));
  });

  describe("a broken candidate", () => {
    test("is skipped", async () => {
      await addLink(".venv/bin/python", "/no/such/python");
      await addLink("path/python3", python);
      expect((await find({ PATH: inFolder("path") })).source).toBe("PATH");
    });

    test("is named, with what is wrong with it, when nothing better is found", async () => {
      await addLink(".venv/bin/python", "/no/such/python");
      await mkdir(inFolder("venv"));
      await mkdir(inFolder("path/python"), { recursive: true });
      await writeFile(inFolder("path/python3"), "");
      await expect(find({ VIRTUAL_ENV: "/no/such/env", PATH: inFolder("path") })).rejects.toThrow(
        new NoPythonError(
          [
            { path: "/no/such/env/bin/python", source: "VIRTUAL_ENV", problem: "does not exist" },
            {
              path: inFolder(".venv/bin/python"),
              source: ".venv",
              problem: "links to a file that does not exist any more",
            },
            { path: inFolder("venv/bin/python"), source: "venv", problem: "does not exist" },
            { path: inFolder("path/python3"), source: "PATH", problem: "may not be executed" },
            { path: inFolder("path/python"), source: "PATH", problem: "is not a file" },
          ],
          false,
        ),
      );
    });

    test("the error says where it looked and how to make one", async () => {
      await expect(find()).rejects.toThrow(
        "No Python found. Looked at VIRTUAL_ENV, .venv, venv and PATH. Create one with: python3 -m venv .venv",
      );
    });

    test("a named interpreter that is broken is not replaced by another", async () => {
      await addLink(".venv/bin/python", python);
      await expect(find({}, "nowhere/python")).rejects.toThrow(`${inFolder("nowhere/python")} does not exist.`);
    });
  });

  describe("behind a version manager's shim", () => {
    /** Started, it would fail: whoever finds the version must have read pyenv's files. */
    const pyenvShim = ["exit 9"];
    const older = oldestPython().path;

    beforeEach(async () => {
      await addScript("pyenv/shims/python3", pyenvShim);
      await addLink("pyenv/versions/new/bin/python3", python);
      await addLink("pyenv/versions/old/bin/python3", older);
      await writeFile(inFolder("pyenv/version"), "new\n");
    });
    const findWithPyenv = async (cwd = folder, env = {}) =>
      (await findInterpreter({ cwd, env: { PATH: inFolder("pyenv/shims"), ...env } })).executable;

    test("pyenv's global version is found without starting anything", async () => {
      expect(await findWithPyenv()).toBe(inFolder("pyenv/versions/new/bin/python3"));
    });

    test("a .python-version in a folder above comes before the global version", async () => {
      await mkdir(inFolder("project/deep"), { recursive: true });
      await writeFile(inFolder("project/.python-version"), "# the old one\nmissing\nold # for now\n");
      expect(await findWithPyenv(inFolder("project/deep"))).toBe(inFolder("pyenv/versions/old/bin/python3"));
    });

    test("PYENV_VERSION comes before both", async () => {
      await writeFile(inFolder(".python-version"), "new\n");
      expect(await findWithPyenv(folder, { PYENV_VERSION: "missing:old" })).toBe(
        inFolder("pyenv/versions/old/bin/python3"),
      );
    });

    test("a .python-version cannot lead out of pyenv's folder", async () => {
      await addLink("evil/bin/python3", python);
      await writeFile(inFolder(".python-version"), "../../evil\n");
      await expect(findWithPyenv()).rejects.toThrow("does not start Python");
    });

    test("any other shim is asked for the interpreter it starts", async () => {
      await addScript("asdf/shims/python3", [`exec ${python} "$@"`]);
      const found = await find({ PATH: inFolder("asdf/shims") });
      expect(await realpath(found.executable)).toBe(await realpath(python));
      expect(found.executable).not.toBe(inFolder("asdf/shims/python3"));
    });

    test("a shim that fails is a broken candidate, with its complaint", async () => {
      await addScript("shims/python3", ["echo 'no version is set' >&2", "exit 126"]);
      await expect(find({ PATH: inFolder("shims") })).rejects.toThrow(
        `${inFolder("shims/python3")} does not start Python (no version is set).`,
      );
    });
  });
});
