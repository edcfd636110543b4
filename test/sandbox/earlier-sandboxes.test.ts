import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTypedFile } from "../../src/hosts/cli/command/typed-file.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { withoutSecrets } from "../../src/runtime/sandbox/sandbox-roots.ts";
import { laterSaveRoots, saveRoots } from "../../src/runtime/sandbox/save-roots.ts";
import { findModules } from "../../src/session/bootstrap/extension-modules.ts";
import { knownPlaces, rememberPlaces } from "../../src/support/files/foreign/known-places.ts";
import { newestPython } from "../environment/pythons.ts";
import { notebookText } from "../execute/notebook-runs.ts";
import { granary } from "../hosts/cli/granary.ts";
import { World, whyNotTested } from "./world.ts";

const whyNot = whyNotTested("bwrap");

/** Now a file with code, now a link to another one. */
const exchanging = `
import os, random, sys, time
file, secret = sys.argv[1:]
while True:
    time.sleep(random.random() / 1000)
    with open(file + ".new", "w") as new: new.write("own = 1")
    os.rename(file + ".new", file)
    time.sleep(random.random() / 1000)
    os.symlink(secret, file + ".link")
    os.rename(file + ".link", file)
    print("again", flush=True)
`;

async function times<T>(count: number, ask: () => Promise<T>): Promise<readonly T[]> {
  const answers: T[] = [];
  while (answers.length < count) answers.push(await ask());
  return answers;
}

describe("folders in which code in an earlier sandbox could write", () => {
  let world: World;
  let home: string;
  let env: Record<string, string>;
  beforeEach(() => {
    world = new World(true);
    home = world.path("home/granary");
    env = { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: home };
    for (const name of ["projects", "projects/cache", "other", "bin"]) mkdirSync(world.path(`home/${name}`));
  });
  afterEach(() => world.remove());
  const inHome = (name: string): string => world.path(`home/${name}`);
  const open = (cwd: string, python: object = {}, more: object = {}) =>
    createRuntime({ cwd, env, settings: { python: { interpreter: newestPython().path, ...python } }, ...more });

  test("stay known while they are away, as on a disk that is not mounted", () => {
    rememberPlaces(home, [inHome("projects")]);
    renameSync(inHome("projects"), inHome("away"));
    expect([knownPlaces(home), knownPlaces(home)]).toEqual([[inHome("projects")], [inHome("projects")]]);
  });

  test("lead no file into another folder, which had a sandbox as well", () => {
    for (const name of ["projects", "other"]) rememberPlaces(home, [inHome(name)]);
    symlinkSync(inHome("other/conftest.py"), inHome("projects/report.py"));
    const refusal = `${inHome("projects/report.py")} is a link to ${inHome("other/conftest.py")}, which code in an earlier sandbox may have made.`;
    expect(() => laterSaveRoots(inHome("projects/report.py"), home, env)).toThrow(refusal);
    const roots = laterSaveRoots(inHome("projects/new.py"), home, env);
    expect(roots?.filter((root) => !root.startsWith("!"))).toEqual([inHome("projects")]);
    expect(laterSaveRoots(inHome("bin/report.py"), home, env)).toBe(null);
  });

  test("lead no file into a folder around them, which had a sandbox as well", async () => {
    rememberPlaces(home, [inHome("projects")]);
    rememberPlaces(home, [inHome("projects/cache")]);
    writeFileSync(inHome("projects/build.py"), "own = 1");
    symlinkSync("../build.py", inHome("projects/cache/build.py"));
    symlinkSync("cache/../build.py", inHome("projects/alias.py"));
    mkdirSync(inHome("projects/src"));
    symlinkSync("../src", inHome("projects/cache/src"));
    expect(laterSaveRoots(inHome("projects/cache/new.py"), home, env)?.[0]).toBe(inHome("projects/cache"));
    expect(laterSaveRoots(inHome("projects/src/new.py"), home, env)?.[0]).toBe(inHome("projects"));
    const read = (name: string) =>
      readTypedFile(inHome(`projects/${name}`), env, { folder: inHome("projects/cache"), sandbox: "strict" });
    await expect(read("cache/build.py")).rejects.toThrow("which code in an earlier sandbox may have made");
    // The links of the folder around lead anywhere in it.
    expect(String(await read("alias.py"))).toBe("own = 1");
    await using runtime = await open(inHome("projects/cache/src"), { sandbox: "workspace" });
    const { failure } = await runtime.session().run("1").result;
    expect(failure?.message).toContain(
      `is a link to ${inHome("projects/src")}, which code in an earlier sandbox may have made`,
    );
  });

  test("lead a file to another of their folders only if every sandbox that may have made a link on the way could write there", async () => {
    mkdirSync(inHome("other/sub"));
    writeFileSync(inHome("other/sub/a.py"), "own = 1");
    symlinkSync("../other", inHome("projects/data"));
    const path = inHome("projects/data/sub/a.py");
    const read = (mode: string) => readTypedFile(path, env, { folder: inHome("projects"), sandbox: mode }).then(String);
    rememberPlaces(home, [inHome("projects"), inHome("other")]);
    expect([await read("off"), laterSaveRoots(path, home, env)?.includes(inHome("other"))]).toEqual(["own = 1", true]);
    await expect(read("workspace")).rejects.toThrow("the author of the code for the sandbox may have made");
    writeFileSync(`${home}/settings.json`, JSON.stringify({ "python.sandboxWrite": [inHome("other")] }));
    expect(await read("workspace")).toBe("own = 1");
    rememberPlaces(home, [inHome("projects")]);
    const refusal = `${path} leads to ${inHome("other/sub/a.py")} by the link ${inHome("projects/data")}, which code in an earlier sandbox may have made.`;
    await expect(read("off")).rejects.toThrow(refusal);
    await expect(read("workspace")).rejects.toThrow(refusal);
  });

  test("lead no file back by a link of another sandbox, which could not write there", () => {
    rememberPlaces(home, [inHome("projects")]);
    rememberPlaces(home, [inHome("other")]);
    symlinkSync("../other", inHome("projects/data"));
    symlinkSync("../projects/conftest.py", inHome("other/report.py"));
    expect(() => laterSaveRoots(inHome("projects/data/report.py"), home, env)).toThrow("may have made");
  });

  test("lead no notebook elsewhere that is saved without a sandbox", async () => {
    rememberPlaces(home, [inHome("projects")]);
    symlinkSync(inHome(".bashrc"), inHome("projects/out.ipynb"));
    await using runtime = await open(inHome("other"));
    const session = runtime.session();
    await expect(session.saveRoots([inHome("other/a.ipynb"), inHome("projects/out.ipynb")])).rejects.toThrow(
      `${inHome("projects/out.ipynb")} is a link to ${inHome(".bashrc")}, which code in an earlier sandbox may have made. Name the file itself: ${inHome(".bashrc")}`,
    );
    const roots = await session.saveRoots([inHome("other/a.ipynb"), inHome("projects/new.ipynb")]);
    expect(roots?.filter((root) => !root.startsWith("!"))).toEqual([inHome("other/a.ipynb"), inHome("projects")]);
    expect(await session.saveRoots([inHome("other/a.ipynb")])).toBe(null);
  });

  test.skipIf(whyNot !== null)(
    "make no other folder writable through a link, neither as python.sandboxWrite nor as the working folder",
    async () => {
      rememberPlaces(home, [inHome("projects")]);
      renameSync(inHome("projects/cache"), inHome("projects/cache-before"));
      symlinkSync(inHome("bin"), inHome("projects/cache"));
      symlinkSync(inHome("projects/cache-before"), inHome("projects/latest"));
      const said = async (cwd: string, sandboxWrite: readonly string[]): Promise<string> => {
        await using runtime = await open(cwd, { sandbox: "workspace", sandboxWrite });
        const { failure, output } = await runtime.session().run("print('ran')").result;
        return failure?.message ?? output;
      };
      const passes = `is a link to ${inHome("bin")}, which code in an earlier sandbox may have made, so nothing was started. Name the folder itself: ${inHome("bin")}`;
      expect(await said(inHome("other"), ["~/projects/cache"])).toContain(passes);
      expect(await said(inHome("projects/cache"), [])).toContain(passes);
      expect(await said(inHome("other"), ["~/projects/latest"])).toContain("ran");
    },
  );

  test.skipIf(whyNot !== null)(
    "are not trusted with settings that name a program, once they are below the folder of a sandbox",
    async () => {
      mkdirSync(inHome("projects/sub/.granary"), { recursive: true });
      writeFileSync(
        inHome("projects/sub/.granary/settings.json"),
        JSON.stringify({ "python.interpreter": inHome("bin/program"), "python.skipCheck": true }),
      );
      await using runtime = await open(
        inHome("projects"),
        { sandbox: "strict", interpreter: undefined },
        { trust: true },
      );
      const { output } = await runtime.session("s", { cwd: inHome("projects/sub") }).run("print('ran')").result;
      // By the interpreter of the search: that program is not there.
      expect(output).toContain("ran");
    },
  );

  test("bring no secret into a program or into parameters through a link", async () => {
    symlinkSync(inHome(".ssh/id_rsa"), inHome("projects/job.py"));
    writeFileSync(inHome("projects/own.py"), "1");
    symlinkSync("own.py", inHome("projects/also-own.py"));
    const read = (name: string, sandbox?: string, cwd = "projects") =>
      readTypedFile(inHome(`projects/${name}`), env, { folder: inHome(cwd), top: inHome("projects"), sandbox }).then(
        String,
        (error: Error) => error.message,
      );
    expect(await read("job.py")).toBe("private key");
    const refusal = `${inHome("projects/job.py")} is a link to ${inHome(".ssh/id_rsa")}, which`;
    expect(await read("job.py", "workspace")).toContain(refusal);
    expect(await read("job.py", "workspace", "projects/cache")).toContain(refusal);
    writeFileSync(`${home}/settings.json`, JSON.stringify({ "python.sandbox": "workspace" }));
    expect(await read("job.py")).toContain(refusal);
    expect(await read("job.py", "off")).toBe("private key");
    writeFileSync(`${home}/settings.json`, "{}");
    rememberPlaces(home, [inHome("projects")]);
    expect(await read("job.py")).toContain(refusal);
    expect([await read("own.py"), await read("also-own.py")]).toEqual(["1", "1"]);
    // Protected from writing only.
    mkdirSync(inHome("projects/.claude"));
    writeFileSync(inHome("projects/.claude/own.py"), "2");
    expect(await read(".claude/own.py")).toBe("2");
  });

  test("block no command by a pipe in the place of a program, parameters or a text", async () => {
    rememberPlaces(home, [inHome("projects")]);
    writeFileSync(inHome("projects/a.ipynb"), notebookText([]));
    for (const name of ["f.py", "f.json", "f.txt"]) execFileSync("mkfifo", [inHome(`projects/${name}`)]);
    for (const args of [
      ["run", "f.py"],
      ["notebook", "run", "a.ipynb", "-f", "f.json"],
      ["notebook", "write", "a.ipynb", "--from", "f.txt"],
    ]) {
      const { stderr, exitCode } = await granary(args, { cwd: inHome("projects"), env });
      expect(stderr).toMatch(/it is a pipe, a socket or a device/);
      expect(exitCode).toBe(2);
    }
  });

  test("bring no secret into a module of the folder", async () => {
    mkdirSync(inHome("projects/.granary/modules"), { recursive: true });
    symlinkSync(inHome(".ssh/id_rsa"), inHome("projects/.granary/modules/a.py"));
    const options = { home, cwd: inHome("projects"), projectModules: true, trustsFolder: async () => true };
    await expect(findModules(options)).rejects.toThrow("outside of its folder");
  });

  test("bring no hidden file of the folder into a module, and none by links that are exchanged all the time", async () => {
    const modules = inHome("projects/.granary/modules");
    mkdirSync(modules, { recursive: true });
    writeFileSync(inHome("projects/key.json"), "KEY = 'secret'");
    symlinkSync("../../key.json", `${modules}/a.py`);
    const withKey = { ...env, GOOGLE_APPLICATION_CREDENTIALS: inHome("projects/key.json") };
    const options = {
      ...{ home, cwd: inHome("projects"), projectModules: true, trustsFolder: async () => true },
      within: async () => withoutSecrets(inHome("projects"), withKey),
    };
    await expect(findModules(options)).rejects.toThrow("to a hidden file");
    unlinkSync(`${modules}/a.py`);
    const swapping = spawn(newestPython().path, ["-c", exchanging, `${modules}/a.py`, inHome(".ssh/id_rsa")]);
    try {
      await once(swapping.stdout, "data");
      const answers = await times(300, () =>
        findModules(options).then(
          ({ modules: [a] }) => a?.source,
          () => "refused",
        ),
      );
      expect(answers).not.toContain("private key");
    } finally {
      swapping.kill("SIGKILL");
    }
    await once(swapping, "close");
    rmSync(`${modules}/a.py`, { force: true });
    writeFileSync(`${modules}/a.py`, "own = 1");
    expect((await findModules(options)).modules).toMatchObject([{ source: "own = 1" }]);
  });

  test("lead no edit of a notebook elsewhere, and no text for one, nor results of several", async () => {
    const own = inHome("other/own.ipynb");
    writeFileSync(own, notebookText(["1"]));
    const before = readFileSync(own, "utf8");
    symlinkSync(own, inHome("projects/a.ipynb"));
    symlinkSync(inHome(".ssh/id_rsa"), inHome("projects/text.txt"));
    symlinkSync(inHome("other"), inHome("projects/out"));
    writeFileSync(inHome("projects/b.ipynb"), notebookText(["1"]));
    cpSync(inHome("projects/b.ipynb"), inHome("projects/c.ipynb"));
    rememberPlaces(home, [inHome("projects")]);
    for (const args of [
      ["export", "a.ipynb", "--to", "script"],
      ["replace", "a.ipynb", "0", "--old", "1", "--new", "2"],
      ["tag", "a.ipynb", "0", "--add", "x"],
      ["write", "a.ipynb", "--from", "b.ipynb", "--format", "percent"],
      ["write", "b.ipynb", "--from", "text.txt", "--format", "percent"],
      ["run", "b.ipynb", "c.ipynb", "--out", "out/results"],
    ]) {
      const { exitCode, stderr } = await granary(["notebook", ...args], { cwd: inHome("projects"), env });
      expect([args, exitCode !== 0, stderr]).toEqual([
        args,
        true,
        expect.stringMatching(
          /, which code in an earlier sandbox may have made\. Name the file itself: \S+(?:other|ssh)/,
        ),
      ]);
    }
    expect([readFileSync(own, "utf8"), existsSync(inHome("other/results"))]).toEqual([before, false]);
    const printed = await granary(["notebook", "export", "a.ipynb", "--to", "script", "-o", "-"], {
      cwd: inHome("projects"),
      env,
    });
    expect(printed.stdout).toContain("1");
  });

  test("are as closed to a save with folders of its own, such as that of the page", async () => {
    mkdirSync(inHome("projects/proj"));
    symlinkSync(inHome("projects/mine.ipynb"), inHome("projects/proj/x.ipynb"));
    rememberPlaces(home, [inHome("projects/proj")]);
    const saving = (file: string) => saveRoots({ limits: undefined }, [inHome(file)], [inHome("projects")], env);
    await expect(saving("projects/proj/x.ipynb")).rejects.toThrow(/earlier sandbox may have made\.$/);
    const folders = (await saving("projects/proj/new.ipynb"))?.filter((root) => !root.startsWith("!"));
    expect(folders).toEqual([inHome("projects/proj")]);
    expect(await saving("projects/mine.ipynb")).toEqual([inHome("projects")]);
  });

  test("show no hidden file in a message about settings", async () => {
    mkdirSync(inHome("projects/.granary"));
    writeFileSync(inHome(".docker/config.json"), '{"auths": 1}');
    symlinkSync(inHome(".docker/config.json"), inHome("projects/.granary/settings.json"));
    await expect(open(inHome("projects"))).rejects.toThrow(/settings\.json leads to a file other than/);
  });

  test("show no file of the repository in a message about settings, but for settings of its folders", async () => {
    const made = inHome("projects/sub/made");
    mkdirSync(inHome("projects/.git"));
    mkdirSync(`${made}/.granary`, { recursive: true });
    writeFileSync(inHome("projects/key.json"), '{ "private_key": "SECRET" }');
    symlinkSync("../../../key.json", `${made}/.granary/settings.json`);
    const said = await open(made).then(String, String);
    expect(said).toContain("leads to a file other than");
    expect(said).not.toContain("private_key");
  });
});
