import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTypedFile } from "../../src/hosts/cli/command/read-typed-file.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { knownPlaces, rememberPlaces } from "../../src/runtime/sandbox/known-places.ts";
import { laterSaveRoots } from "../../src/runtime/sandbox/save-roots.ts";
import { findModules } from "../../src/session/bootstrap/extension-modules.ts";
import { newestPython } from "../environment/pythons.ts";
import { World, whyNotTested } from "./world.ts";

const whyNot = whyNotTested("bwrap");

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
    const roots = laterSaveRoots(inHome("projects/report.py"), home, env);
    expect(roots?.filter((root) => !root.startsWith("!"))).toEqual([inHome("projects")]);
    expect(laterSaveRoots(inHome("bin/report.py"), home, env)).toBe(null);
  });

  test("lead no notebook elsewhere that is saved without a sandbox", async () => {
    rememberPlaces(home, [inHome("projects")]);
    symlinkSync(inHome(".bashrc"), inHome("projects/out.ipynb"));
    await using runtime = await open(inHome("other"));
    const session = runtime.session();
    const roots = await session.saveRoots([inHome("other/a.ipynb"), inHome("projects/out.ipynb")]);
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
      const passes = `leads to ${inHome("bin")} by a link in ${inHome("projects")}, which code in an earlier sandbox may have made`;
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
    const read = (name: string, folder?: string) =>
      readTypedFile(inHome(`projects/${name}`), env, folder).then(String, (error: Error) => error.message);
    expect(await read("job.py")).toBe("private key");
    const refusal = `${inHome("projects/job.py")} leads to ${inHome(".ssh/id_rsa")} and is not in ${inHome("projects")}`;
    expect(await read("job.py", inHome("projects"))).toContain(refusal);
    rememberPlaces(home, [inHome("projects")]);
    expect(await read("job.py")).toContain(refusal);
    expect([await read("own.py"), await read("also-own.py")]).toEqual(["1", "1"]);
  });

  test("bring no secret into a module of the folder", async () => {
    mkdirSync(inHome("projects/.granary/modules"), { recursive: true });
    symlinkSync(inHome(".ssh/id_rsa"), inHome("projects/.granary/modules/a.py"));
    const options = { home, cwd: inHome("projects"), projectModules: true, trustsFolder: async () => true };
    await expect(findModules(options)).rejects.toThrow("outside of its folder");
  });
});
