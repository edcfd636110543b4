import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { newestPython } from "../environment/pythons.ts";
import { py } from "../kernel/py.ts";
import { skipReason, World, whyNotTested } from "./world.ts";

for (const engine of ["landlock", "bwrap"] as const) {
  const where = `${engine}${skipReason(engine)}`;
  describe.skipIf(whyNotTested(engine) !== null)(`a cell that prepares what Granary does next, in ${where}`, () => {
    let world: World;
    beforeAll(() => {
      world = new World(true);
    });
    afterAll(() => world?.remove());

    const open = (more: object = { interpreter: newestPython().path }, env: object = {}): Promise<Runtime> =>
      createRuntime({
        cwd: world.path("project"),
        env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary"), ...env },
        settings: { python: { sandbox: "workspace", sandboxEngine: engine, ...more } },
      });
    const textOf = (result: unknown): string => JSON.stringify(result);

    test("a pyvenv.cfg that names a hidden folder as Python's home opens nothing", async () => {
      const environment = world.path("project/.venv");
      mkdirSync(`${environment}/bin`, { recursive: true });
      symlinkSync(newestPython().path, `${environment}/bin/python`);
      const secret = world.path("home/.docker/cli/secret");
      for (const home of [`${dirname(secret)}/bin`, `${dirname(dirname(secret))}/bin`, `${world.path("home")}/bin`]) {
        writeFileSync(`${environment}/pyvenv.cfg`, `home = ${home}\nversion = ${newestPython().version}\n`);
        await using runtime = await open({});
        await using toolbox = await createToolbox({ runtime });
        expect(textOf(await toolbox.find("bash")?.run({ command: `cat ${secret}; echo done` }))).toMatch(
          /^(?!.*in a hidden folder).*done/,
        );
      }
    });

    test.skipIf(engine === "landlock")(
      "in a strict sandbox, a pyvenv.cfg shows no folder that is no Python",
      async () => {
        const environment = world.path("project/own-environment");
        execFileSync(newestPython().path, ["-m", "venv", "--without-pip", environment]);
        const written = readFileSync(`${environment}/pyvenv.cfg`, "utf8");
        writeFileSync(`${environment}/pyvenv.cfg`, `home = ${world.path("outside/bin")}\nversion = 3.11.0\n`);
        const strict = { sandbox: "strict", interpreter: `${environment}/bin/python` } as const;
        const look = `import os; print(os.path.exists(${JSON.stringify(world.path("outside"))}))`;
        const run = async (): Promise<string> => {
          await using runtime = await open(strict);
          return (await runtime.session().run(look).result).output;
        };
        expect(await run()).not.toContain("True");
        writeFileSync(`${environment}/pyvenv.cfg`, written);
        expect(await run()).toBe("False\n");
        rmSync(environment, { recursive: true });
      },
    );

    test("a Python that is a link to a program in a hidden folder does not open the folder", async () => {
      const program = world.path("home/.docker/cli/program");
      writeFileSync(program, "#!/bin/sh\n");
      chmodSync(program, 0o755);
      execFileSync("ln", ["-sf", program, world.path("project/.venv/bin/python")]);
      await using runtime = await open({});
      await using toolbox = await createToolbox({ runtime });
      const command = `cat ${world.path("home/.docker/cli/secret")}; echo done`;
      expect(textOf(await toolbox.find("bash")?.run({ command }))).toMatch(/^(?!.*in a hidden folder).*done/);
    });

    test("links in the private /tmp are not followed by files that Granary puts there", async () => {
      await using runtime = await open();
      await using toolbox = await createToolbox({ runtime });
      const bash = async (command: string): Promise<string> => textOf(await toolbox.find("bash")?.run({ command }));
      expect(await bash("ls -a $TMPDIR")).toContain(".granary-shell");
      const link = py`
        import os
        place = os.environ["TMPDIR"] + "/.granary-shell"
        os.path.lexists(place) and os.unlink(place)
        os.symlink(${JSON.stringify(world.path("outside/victim"))}, place)
      `;
      expect((await runtime.session().run(link).result).status).toBe("ok");
      expect(await bash("echo again")).toContain("again");
      expect(readFileSync(world.path("outside/victim"), "utf8")).toBe("untouched");
      await runtime.session().run("os.unlink(place); os.makedirs(place + '/x')").result;
      expect(await bash(`echo ${"x".repeat(200_000)} | wc -c`)).toContain("200001");
    });

    test("programs that a cell put on PATH, as into an activated environment, do not run outside", async () => {
      const names = ["bash", "mkfifo", "ps", "rm", "chmod", "sh", "env", "bwrap", "python3", "git"];
      const folder = world.path("project/.venv/bin");
      mkdirSync(folder, { recursive: true });
      for (const name of names) {
        writeFileSync(`${folder}/${name}`, `#!/bin/sh\necho ${name} >> ${world.path("outside/by-path")}\n`);
        chmodSync(`${folder}/${name}`, 0o755);
      }
      const before = process.env.PATH;
      process.env.PATH = `${folder}:${before}`;
      try {
        await using runtime = await open({ interpreter: newestPython().path });
        await using toolbox = await createToolbox({ runtime });
        await toolbox.find("bash")?.run({ command: "true" });
        expect((await runtime.session().run("6 * 7").result).output).toBe("42\n");
      } finally {
        process.env.PATH = before;
        for (const name of names) execFileSync("rm", [`${folder}/${name}`]);
      }
      expect(existsSync(world.path("outside/by-path"))).toBe(false);
    });

    test("libraries of the folder are loaded by programs inside only", async () => {
      mkdirSync(world.path("project/lib"), { recursive: true });
      // Programs that set the limits need these, Python does not.
      for (const name of ["libcap.so.2", "libselinux.so.1", "libexpat.so.1"])
        writeFileSync(world.path(`project/lib/${name}`), "evil");
      const libraries = world.path("project/lib");
      await using runtime = await open({ interpreter: newestPython().path }, { LD_LIBRARY_PATH: libraries });
      const { output } = await runtime.session().run("import os; os.environ.get('LD_LIBRARY_PATH')").result;
      expect(output).toBe(`'${libraries}'\n`);
      await using toolbox = await createToolbox({ runtime });
      expect(textOf(await toolbox.find("bash")?.run({ command: "echo $LD_LIBRARY_PATH" }))).toContain(libraries);
    });

    test("a program in place of Python that names a pipe as its journal blocks nobody", async () => {
      const pipe = world.path("outside/pipe");
      execFileSync("mkfifo", [pipe]);
      const hello = {
        ...{ t: "hello", protocol: 1, python: "3.11.0", executable: "x", mark: "0".repeat(32), settles: true },
        ...{ pipes: [`../../../..${pipe}`, `../../../..${pipe}`], journal: `../../../..${pipe}` },
      };
      const program = world.path("project/.venv/bin/python");
      execFileSync("rm", ["-f", program]);
      writeFileSync(program, `#!/bin/sh\necho '${JSON.stringify(hello)}' | sed "s/}$/,\\"pid\\":$$}/" >&3\nsleep 1\n`);
      chmodSync(program, 0o755);
      writeFileSync(world.path("project/.venv/pyvenv.cfg"), `home = /usr/bin\nversion = 3.11.0\n`);
      await using runtime = await open({});
      expect((await runtime.session().run("1").result).status).toBe("failed");
    });

    test("tools for files protect what a protected name leads to", async () => {
      mkdirSync(world.path("project/conf/editor"), { recursive: true });
      symlinkSync("conf/editor", world.path("project/.pi"));
      symlinkSync("../conf/editor", world.path("project/sub/way"));
      await using runtime = await open();
      await using toolbox = await createToolbox({ runtime });
      for (const path of ["conf/editor/tasks.json", ".pi/tasks.json", "sub/way/tasks.json"]) {
        const inside = `open(${JSON.stringify(path)}, "w").write("x")`;
        expect((await runtime.session().run(inside).result).error?.name).toMatch(/OSError|PermissionError/);
        const written = await toolbox.find("write")?.run({ path, content: "x" }).catch(String);
        expect(textOf(written)).toContain("is protected");
      }
      expect(existsSync(world.path("project/conf/editor/tasks.json"))).toBe(false);
    });

    test("tools that write notebooks stay in the folder, and away from protected names", async () => {
      await using runtime = await open();
      await using toolbox = await createToolbox({ runtime });
      const paths = ["outside/new.ipynb", "project/.cursor/new.ipynb", "project/scripts/hooks/new.ipynb"].map((path) =>
        world.path(path),
      );
      for (const path of paths) {
        for (const input of [
          { action: "create", path },
          { action: "run", path },
          { path, action: "insert", content: "1" },
        ]) {
          const answer = await toolbox.find("notebook")?.run(input).catch(String);
          expect(textOf(answer)).toMatch(/no other folder is allowed|is protected|error/i);
        }
        expect(() => readFileSync(path)).toThrow();
      }
    });
  });
}
