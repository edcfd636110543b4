import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, lchown, mkdir, realpath, rm, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FindInterpreterOptions, findInterpreter } from "../../src/python/find/find-interpreter.ts";
import { newestPython, oldestPython } from "../environment/pythons.ts";
import { Machine } from "./machine.ts";

const newest = newestPython();
const oldest = oldestPython();

describe("finding a Python", () => {
  let machine: Machine;
  beforeEach(async () => {
    machine = await Machine.make();
  });
  afterEach(() => machine.remove());

  const find = (options: Partial<FindInterpreterOptions> = {}) =>
    findInterpreter({ cwd: machine.folder, env: {}, home: machine.home, ...options });

  describe("looks in this order", () => {
    test("VIRTUAL_ENV, .venv, venv, the same above, conda, python3 and python on PATH, Granary's own", async () => {
      await machine.addFile("project/.git/HEAD");
      const order: readonly (readonly [string, string])[] = [
        ["active/bin/python", "VIRTUAL_ENV"],
        ["project/a/b/.venv/bin/python", ".venv"],
        ["project/a/b/venv/bin/python", "venv"],
        ["project/a/.venv/bin/python", ".venv"],
        ["project/a/venv/bin/python", "venv"],
        ["project/.venv/bin/python", ".venv"],
        ["project/venv/bin/python", "venv"],
        ["conda/bin/python", "CONDA_PREFIX"],
        ["path/python3", "PATH"],
        ["path/python", "PATH"],
        ["granary-home/python-env/bin/python", "managed"],
      ];
      for (const [name] of order) await machine.addLink(name);
      const env = {
        PATH: machine.path("path"),
        VIRTUAL_ENV: machine.path("active"),
        CONDA_PREFIX: machine.path("conda"),
      };
      // No Python is asked: this tests only the order of places.
      const look = () => find({ cwd: machine.path("project/a/b"), env, skipCheck: true });
      for (const [name, source] of order) {
        expect(await look()).toMatchObject({ executable: machine.path(name), source, facts: null });
        await rm(machine.path(name));
      }
      await expect(look()).rejects.toMatchObject({ code: "no-python" });
    });

    test("a named interpreter comes first, without a search", async () => {
      await machine.addVenv("active");
      await machine.addLink("named/python3");
      expect(await find({ env: { VIRTUAL_ENV: machine.path("active") }, explicit: "named/python3" })).toMatchObject({
        executable: machine.path("named/python3"),
        source: "explicit",
        virtualEnvironment: null,
        skipped: [],
      });
    });

    test("a name without a slash is looked for on PATH, and only then in the folder", async () => {
      await machine.addLink("path/python3.99");
      await machine.addLink("python3.99");
      const env = { PATH: machine.path("path") };
      const look = () => find({ env, explicit: "python3.99" });
      expect(await look()).toMatchObject({ executable: machine.path("path/python3.99"), source: "explicit" });
      expect(await find({ env, explicit: "./python3.99" })).toMatchObject({ executable: machine.path("python3.99") });
      await rm(machine.path("path/python3.99"));
      expect(await look()).toMatchObject({ executable: machine.path("python3.99") });
      await rm(machine.path("python3.99"));
      await expect(look()).rejects.toThrow("python3.99 does not exist, and there is none of that name on PATH.");
    });

    test("a wrapper by its name is not that of the folder, which the user would take for another", async () => {
      const cwd = machine.path("clone");
      const wrapper = await machine.addScript("bin/boxed-python", `exec '${newestPython().path}' "$@"`);
      await machine.addScript("clone/.venv/bin/boxed-python", `echo > '${machine.path("ran")}'`);
      await machine.addScript("clone/boxed-python", `echo > '${machine.path("ran")}'`);
      const PATH = `${machine.path("clone/.venv/bin")}:${machine.path("bin")}`;
      const around = { cwd, explicit: "boxed-python", home: machine.home };
      const env = { PATH, HOME: machine.path("user") };
      expect((await findInterpreter({ ...around, env })).executable).toBe(wrapper);
      const alone = { ...around, env: { ...env, PATH: machine.path("clone/.venv/bin") }, isForAnyFolder: true };
      await expect(findInterpreter(alone)).rejects.toThrow(
        "There is no boxed-python on PATH outside of the working folder. Name the executable of a Python 3.8 or newer",
      );
      await expect(findInterpreter({ ...alone, explicit: "python3.99" })).rejects.toThrow(
        "There is no python3.99 on PATH. Name the executable",
      );
      expect(existsSync(machine.path("ran"))).toBe(false);
    });

    test("for Jupyter's kernels, Granary's own before a Python on PATH without ipykernel", async () => {
      await machine.addVenv("granary-home/python-env");
      await machine.addVenv("path");
      await machine.addPackage("path", "another");
      const env = { PATH: machine.path("path/bin") };
      expect(await find({ env })).toMatchObject({ source: "PATH" });
      expect(await find({ env, forJupyter: true })).toMatchObject({
        source: "managed",
        executable: machine.path("granary-home/python-env/bin/python"),
      });
      await machine.addPackage("path", "ipykernel");
      expect(await find({ env, forJupyter: true })).toMatchObject({ source: "PATH" });
      await machine.addVenv(".venv");
      expect(await find({ env, forJupyter: true })).toMatchObject({ source: ".venv" });
    });

    test("above the folder only within its repository, whose .git may also be a file", async () => {
      await machine.addVenv(".venv");
      await mkdir(machine.path("project/deep"), { recursive: true });
      const fromDeep = () => find({ cwd: machine.path("project/deep"), skipCheck: true });
      await expect(fromDeep()).rejects.toMatchObject({ code: "no-python" });
      await machine.addFile("project/.git", "gitdir: ../elsewhere\n");
      await expect(fromDeep()).rejects.toMatchObject({ code: "no-python" });
      await machine.addVenv("project/.venv");
      expect((await fromDeep()).executable).toBe(machine.path("project/.venv/bin/python"));
    });

    test("python3 anywhere on PATH comes before python", async () => {
      await machine.addLink("first/python");
      await machine.addLink("second/python3");
      const env = { PATH: `${machine.path("first")}:${machine.path("second")}` };
      expect((await find({ env })).executable).toBe(machine.path("second/python3"));
    });

    test("a relative folder on PATH is skipped", async () => {
      await machine.addLink("python3");
      await expect(find({ env: { PATH: ".:" } })).rejects.toMatchObject({ code: "no-python" });
    });

    test("a tilde means the home folder", async () => {
      await machine.addLink("user/python3");
      const env = { HOME: machine.path("user") };
      expect((await find({ env, explicit: "~/python3" })).executable).toBe(machine.path("user/python3"));
    });
  });

  describe.skipIf(process.getuid?.() !== 0)("of other users, runs none that only lies there", () => {
    const stranger = 4711;
    const PATH = dirname(newest.path);
    const give = (...names: readonly string[]) =>
      Promise.all(names.map((name) => lchown(machine.path(name), stranger, stranger)));
    const isTaken = async (venv: string, options: Partial<FindInterpreterOptions>) =>
      (await find({ env: { PATH }, ...options })).executable === machine.path(`${venv}/bin/python`);

    test("in a shared folder above, with a repository or without, and names it with the remedy", async () => {
      await machine.addFile("shared/.git/HEAD");
      await machine.addScript("shared/.venv/bin/python", `touch '${machine.path("ran")}'; exec ${newest.path} "$@"`);
      await machine.addFile("shared/work/a.py");
      await chmod(machine.path("shared"), 0o1777);
      await give("shared/.git", "shared/.venv");
      for (const cwd of ["shared/work", "shared"]) {
        const found = await find({ cwd: machine.path(cwd), env: { PATH } });
        expect(found).toMatchObject({ source: "PATH", skipped: [{ source: ".venv", stranger }] });
        expect(found.skipped[0]?.problem).toMatch(/^belongs to another user \(uid 4711\): .* name it by its path/);
      }
      expect(existsSync(machine.path("ran"))).toBe(false);
      // A link of theirs is their choice, wherever it leads.
      await rm(machine.path("shared/.venv"), { recursive: true });
      await machine.addVenv("own");
      await machine.addLink("shared/.venv", machine.path("own"));
      expect(await isTaken("shared/.venv", { cwd: machine.path("shared") })).toBe(true);
      await give("shared/.venv");
      expect(await isTaken("shared/.venv", { cwd: machine.path("shared") })).toBe(false);
    });

    test("nor in the repository of a colleague around a folder of the user's own", async () => {
      await machine.addFile("theirs/.git/HEAD");
      await machine.addVenv("theirs/.venv");
      await machine.addFile("theirs/mine/a.py");
      await give("theirs", "theirs/.git", "theirs/.venv");
      expect(await isTaken("theirs/.venv", { cwd: machine.path("theirs/mine") })).toBe(false);
      // The user chose to work in the colleague's folder.
      const explicit = machine.path("theirs/.venv/bin/python");
      const env = { VIRTUAL_ENV: machine.path("theirs/.venv") };
      for (const word of [{ explicit }, { env }, { top: machine.path("theirs") }])
        expect(await isTaken("theirs/.venv", { cwd: machine.path("theirs/mine"), ...word })).toBe(true);
    });

    test("but the .venv of the working folder's owner, as in a container that root works in", async () => {
      await machine.addFile("mounted/.git/HEAD");
      await machine.addVenv("mounted/.venv");
      await machine.addFile("mounted/src/a.py");
      await give("mounted", "mounted/.venv", "mounted/src");
      for (const cwd of ["mounted", "mounted/src"])
        expect(await isTaken("mounted/.venv", { cwd: machine.path(cwd) })).toBe(true);
      await chmod(machine.path("mounted"), 0o777);
      expect(await isTaken("mounted/.venv", { cwd: machine.path("mounted") })).toBe(false);
    });

    test("nor a program of a shared folder for a name that PATH does not have", async () => {
      await machine.addLink("shared/python3.99");
      await chmod(machine.path("shared"), 0o1777);
      await give("shared/python3.99");
      const look = (explicit: string) => find({ cwd: machine.path("shared"), env: { PATH }, explicit });
      await expect(look("python3.99")).rejects.toThrow("python3.99 belongs to another user (uid 4711)");
      expect(await look("./python3.99")).toMatchObject({ source: "explicit" });
    });
  });

  describe("reports the facts of the found Python", () => {
    test("a virtual environment, however it was found", async () => {
      execFileSync(newest.path, ["-m", "venv", "--without-pip", machine.path("made")]);
      for (const options of [{ env: { PATH: machine.path("made/bin") } }, { explicit: "made/bin/python3" }]) {
        const { executable, virtualEnvironment, condaEnvironment, facts } = await find(options);
        expect(executable).toBe(machine.path("made/bin/python3"));
        expect([virtualEnvironment, condaEnvironment]).toEqual([machine.path("made"), null]);
        expect(facts).toMatchObject({
          version: newest.version,
          implementation: "cpython",
          prefix: machine.path("made"),
          basePrefix: dirname(dirname(newest.path)),
          modules: [],
        });
      }
    });

    test("which packages it has, without importing them", async () => {
      await machine.addVenv(".venv");
      for (const name of ["ipykernel", "kernel_gateway", "requests"]) await machine.addPackage(".venv", name);
      await machine.addPackage(".venv", "pip/not-at-the-top");
      expect((await find()).facts?.modules).toEqual(["ipykernel", "kernel_gateway"]);
    });

    test("a conda environment, also behind a link to its Python", async () => {
      await machine.addFile("conda/conda-meta/history");
      await machine.addFile("conda/bin/python3.99", "a program, but no script");
      await chmod(machine.path("conda/bin/python3.99"), 0o755);
      await machine.addLink("conda/bin/python", "python3.99");
      await machine.addLink("path/python3", machine.path("conda/bin/python"));
      const expected = { condaEnvironment: machine.path("conda"), virtualEnvironment: null };
      for (const env of [{ CONDA_PREFIX: machine.path("conda") }, { PATH: machine.path("path") }]) {
        expect(await find({ env, skipCheck: true })).toMatchObject(expected);
      }
    });

    test("each Python's own version", async () => {
      await machine.addVenv("venv", oldest.path);
      expect((await find()).facts?.version).toBe(oldest.version);
    });
  });

  describe("behind a version manager's shim", () => {
    beforeEach(async () => {
      // Started, it would leave a trace and fail: the version must come from pyenv's files.
      await machine.addScript("pyenv/shims/python3", `: > ${machine.path("was-started")}`, "exit 9");
      await machine.addLink("pyenv/versions/new/bin/python3", newest.path);
      await machine.addLink("pyenv/versions/old/bin/python3", oldest.path);
      await machine.addFile("pyenv/version", "new\n");
    });
    const findWithPyenv = async (cwd = machine.folder, env = {}) =>
      (await find({ cwd, env: { PATH: machine.path("pyenv/shims"), ...env } })).executable;

    test("pyenv's global version is found without starting the shim", async () => {
      expect(await findWithPyenv()).toBe(machine.path("pyenv/versions/new/bin/python3"));
      expect(existsSync(machine.path("was-started"))).toBe(false);
    });

    test("a .python-version in a folder above comes before the global version", async () => {
      await machine.addFile("project/.python-version", "# the old one\nmissing\nold # for now\n");
      await mkdir(machine.path("project/deep"));
      expect(await findWithPyenv(machine.path("project/deep"))).toBe(machine.path("pyenv/versions/old/bin/python3"));
    });

    test("PYENV_VERSION comes before both", async () => {
      await machine.addFile(".python-version", "new\n");
      expect(await findWithPyenv(machine.folder, { PYENV_VERSION: "missing:old" })).toBe(
        machine.path("pyenv/versions/old/bin/python3"),
      );
    });

    test("a .python-version cannot lead out of pyenv's folder", async () => {
      await machine.addLink("evil/bin/python3");
      await machine.addFile(".python-version", "../../evil\n");
      await expect(findWithPyenv()).rejects.toThrow("does not start Python");
      expect(existsSync(machine.path("was-started"))).toBe(true);
    });

    test("any other shim is asked, once and in the working folder, and the Python behind it is taken", async () => {
      const log = machine.path("asked-in");
      await machine.addScript("asdf/shims/python3", `pwd >> ${log}`, `exec ${newest.path} "$@"`);
      const found = await find({ env: { PATH: machine.path("asdf/shims") } });
      expect(await realpath(found.executable)).toBe(await realpath(newest.path));
      expect(found.executable).not.toBe(machine.path("asdf/shims/python3"));
      expect(execFileSync("cat", [log], { encoding: "utf8" })).toBe(`${machine.folder}\n`);
    });

    test("the virtual environment that a shim starts is known", async () => {
      await machine.addVenv("hidden");
      await machine.addScript("shims/python3", `exec ${machine.path("hidden/bin/python")} "$@"`);
      expect(await find({ env: { PATH: machine.path("shims") } })).toMatchObject({
        executable: machine.path("hidden/bin/python"),
        virtualEnvironment: machine.path("hidden"),
      });
    });

    test("mise's shims, which are links to mise, are shims", async () => {
      await machine.addScript("bin/mise", `exec ${newest.path} "$@"`);
      await mkdir(machine.path("shims"));
      await symlink(machine.path("bin/mise"), machine.path("shims/python3"));
      const found = await find({ env: { PATH: machine.path("shims") } });
      expect(await realpath(found.executable)).toBe(await realpath(newest.path));
    });

    test("a shim is taken unchecked when checks are turned off", async () => {
      const shim = await machine.addScript("asdf/shims/python3", `: > ${machine.path("was-started")}`);
      const env = { PATH: machine.path("asdf/shims") };
      expect((await find({ env, skipCheck: true })).executable).toBe(shim);
      expect(existsSync(machine.path("was-started"))).toBe(false);
      await expect(find({ env })).rejects.toThrow();
      expect(existsSync(machine.path("was-started"))).toBe(true);
    });
  });
});

test("a wrapper that the user names runs as given, instead of the Python that it reports", async () => {
  const machine = await Machine.make();
  try {
    const wrapper = await machine.addScript("wrap", `exec ${newestPython().path} "$@"`);
    const { executable, facts } = await findInterpreter({ cwd: machine.folder, env: {}, explicit: wrapper });
    expect({ executable, version: facts?.version }).toEqual({ executable: wrapper, version: newestPython().version });
  } finally {
    await machine.remove();
  }
});
