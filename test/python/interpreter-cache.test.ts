import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FindInterpreterOptions, findInterpreter } from "../../src/python/find/find-interpreter.ts";
import { newestPython, oldestPython } from "../environment/pythons.ts";
import { Machine } from "./machine.ts";

describe("a Python that has answered once", () => {
  let machine: Machine;
  let env: Record<string, string>;
  const cacheFile = () => join(machine.home, "cache/interpreters.json");
  const find = (options: Partial<FindInterpreterOptions> = {}) =>
    findInterpreter({ cwd: machine.folder, env, home: machine.home, ...options });
  const countOf = async () => (await machine.starts()).length;

  beforeEach(async () => {
    machine = await Machine.make();
    env = { ...(await machine.countStarts()) };
    await machine.addVenv(".venv");
    await mkdir(machine.path(".venv/lib"));
  });
  afterEach(() => machine.remove());

  test("is not started again to be chosen, and the answer is the same", async () => {
    const asked = await find();
    expect(await machine.starts()).toEqual([machine.path(".venv/bin/python")]);
    expect(await find()).toEqual(asked);
    expect(await countOf()).toBe(1);
  });

  test("is asked again when its path now leads to another Python", async () => {
    await find();
    await rm(machine.path(".venv/bin/python"));
    await symlink(oldestPython().path, machine.path(".venv/bin/python"));
    expect((await find()).facts?.version).toBe(oldestPython().version);
    expect(await countOf()).toBe(2);
  });

  test("is asked again after a package was installed or removed", async () => {
    await machine.addPackage(".venv", "requests");
    expect((await find()).facts?.modules).toEqual([]);
    await machine.addPackage(".venv", "ipykernel");
    expect((await find()).facts?.modules).toEqual(["ipykernel"]);
    const folder = (await find()).facts?.sitePackages.find((path) => path.startsWith(machine.path(".venv"))) ?? "";
    await rm(join(folder, "ipykernel"), { recursive: true });
    expect((await find()).facts?.modules).toEqual([]);
    expect(await countOf()).toBe(3);
  });

  test("is asked again after its virtual environment was recreated", async () => {
    await find();
    await utimes(machine.path(".venv/pyvenv.cfg"), 1, 1);
    await find();
    expect(await countOf()).toBe(2);
  });

  test("is asked again where PYTHONPATH, or the folder it is relative to, has other packages to offer", async () => {
    await machine.addFile("more/kernel_gateway/__init__.py");
    expect((await find()).facts?.modules).toEqual([]);
    const relative = { ...env, PYTHONPATH: `${env.PYTHONPATH}:more` };
    expect((await find({ env: relative })).facts?.modules).toEqual(["kernel_gateway"]);
    const elsewhere = { env: { ...relative, VIRTUAL_ENV: machine.path(".venv") }, cwd: machine.path("counting") };
    expect((await find(elsewhere)).facts?.modules).toEqual([]);
    expect(await countOf()).toBe(3);
    // Each of these is remembered beside the others.
    for (const options of [{}, { env: relative }, elsewhere]) await find(options);
    expect(await countOf()).toBe(3);
  });

  test("is shared with other processes, and two concurrent ones do not conflict", async () => {
    await machine.addVenv("other");
    const both = () => Promise.all([find(), find({ explicit: "other/bin/python" })]);
    await both();
    await both();
    await both();
    const count = await countOf();
    // One of the two may have been forgotten, once; both are known in the end.
    expect(count).toBeLessThanOrEqual(3);
    await both();
    expect(await countOf()).toBe(count);
    expect(await readdir(join(machine.home, "cache"))).toEqual(["interpreters.json"]);
  });

  test.each([
    ["damaged", "{ not json"],
    ["empty", ""],
    ["of another version", JSON.stringify({ format: 0, interpreters: [] })],
    ["full of nonsense", JSON.stringify({ format: 1, interpreters: [null, 7, {}, { executable: 1, facts: {} }] })],
  ])("is asked again when the file is %s, which is then repaired", async (_what, content) => {
    await machine.addFile("granary-home/cache/interpreters.json", content);
    await find();
    await find();
    expect(await countOf()).toBe(1);
  });

  test("is asked every time where nothing can be written, or there is no home", async () => {
    await writeFile(machine.home, "a file where the folder should be");
    await find();
    await find();
    await find({ home: undefined });
    expect(await countOf()).toBe(3);
  });

  test("is not cached after a failure", async () => {
    await rm(machine.path(".venv"), { recursive: true });
    const log = machine.path("asked");
    await machine.addScript(".venv/bin/python", `echo asked >> ${log}`, "exit 1");
    for (const _ of [1, 2]) await expect(find()).rejects.toThrow("does not start Python");
    expect(execFileSync("cat", [log], { encoding: "utf8" })).toBe("asked\nasked\n");
  });

  test("is asked again behind a shim, because shims may choose another Python", async () => {
    await rm(machine.path(".venv"), { recursive: true });
    await machine.addScript("shims/python3", `exec ${newestPython().path} "$@"`);
    const asked = await find({ env: { ...env, PATH: machine.path("shims") } });
    await machine.addScript("shims/python3", `exec ${oldestPython().path} "$@"`);
    const again = await find({ env: { ...env, PATH: machine.path("shims") } });
    expect([asked.facts?.version, again.facts?.version]).toEqual([newestPython().version, oldestPython().version]);
  });

  test("is one of at most 32, the ones asked last, in a file of the user's own", async () => {
    await find();
    const [one] = JSON.parse(await readFile(cacheFile(), "utf8")).interpreters;
    const many = Array.from({ length: 40 }, (_, n) => ({ ...one, executable: `/python/${n}` }));
    await writeFile(cacheFile(), JSON.stringify({ format: 1, interpreters: many }));
    await find();
    const { interpreters } = JSON.parse(await readFile(cacheFile(), "utf8"));
    expect(interpreters).toHaveLength(32);
    expect(interpreters[0].executable).toBe(machine.path(".venv/bin/python"));
    expect(interpreters[31].executable).toBe("/python/30");
  });

  test("is not asked at all when checks are turned off", async () => {
    expect((await find({ skipCheck: true })).facts).toBeNull();
    expect(await countOf()).toBe(0);
  });
});
