import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { getPriority } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { writablePlaces } from "../../src/runtime/sandbox/writable-places.ts";
import { findProgram } from "../../src/sandbox/find-program.ts";
import type { SandboxMode } from "../../src/sandbox/sandbox-plan.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { newestPython } from "../environment/pythons.ts";
import { py } from "../kernel/py.ts";
import { skipReason, World, whyNotTested } from "./world.ts";

const variants = [
  ["landlock", "workspace"],
  ["bwrap", "workspace"],
  ["bwrap", "strict"],
] as const;

for (const [engine, mode] of variants) {
  const where = `${engine}, ${mode}${skipReason(engine)}`;
  describe.skipIf(whyNotTested(engine) !== null)(`Granary starts nothing outside that cells wrote, in ${where}`, () => {
    let world: World;
    beforeEach(() => {
      world = new World(true);
    });
    afterEach(() => world?.remove());

    const open = (env: object = {}, more: object = {}, cwd = "project"): Promise<Runtime> =>
      createRuntime({
        cwd: world.path(cwd),
        env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary"), ...env },
        settings: { python: { sandbox: mode as SandboxMode, sandboxEngine: engine, ...more } },
      });
    /** Runs where it is imported, and succeeds outside of the sandbox only. */
    const escaping = () => `import os; os.access(${q(world.path("outside"))}, os.W_OK) and open(${q(mark())}, "a")\n`;
    const mark = () => world.path("outside/by-python");
    const environment = (name: string): string => {
      execFileSync(newestPython().path, ["-m", "venv", "--without-pip", world.path(name)]);
      return world.path(name);
    };
    const ran = async (runtime: Runtime, code: string): Promise<string> => {
      const { output, error, failure } = await runtime.session().run(code).result;
      return output + (error?.message ?? "") + (failure?.message ?? "");
    };
    const plant = (prefix: string) => py`
      import glob
      with open(glob.glob(${q(join(prefix, "lib/python3*/site-packages"))})[0] + "/x.pth", "w") as file:
          file.write(${q(escaping())})
    `;

    test("an activated environment, from a folder below that a cell made a repository", async () => {
      const prefix = environment("project/env");
      await using runtime = await open({ VIRTUAL_ENV: prefix, PATH: `${prefix}/bin:/usr/bin:/bin` });
      await using toolbox = await createToolbox({ runtime });
      expect(await ran(runtime, `${plant(prefix)}\nimport os; os.makedirs("sub/.git")`)).toBe("");
      const asked = { cells: [{ code: "6 * 7" }], cwd: "sub", session: "below" };
      expect(JSON.stringify(await toolbox.find("python")?.run(asked))).toContain("42");
      expect(JSON.stringify(await toolbox.find("bash")?.run({ command: "echo done", cwd: "sub" }))).toContain("done");
      expect(existsSync(mark())).toBe(false);
    });

    test("an environment in a folder of python.sandboxWrite, at the next start", async () => {
      const prefix = environment("envs/one");
      const settings = { sandboxWrite: [world.path("envs")] };
      for (const code of [plant(prefix), "6 * 7"]) {
        await using runtime = await open({ VIRTUAL_ENV: prefix }, settings);
        expect(await ran(runtime, code)).toBe(code === "6 * 7" ? "42\n" : "");
      }
      expect(existsSync(mark())).toBe(false);
    });

    test("an environment and PYTHONPATH in a project, where the home folder is a repository", async () => {
      mkdirSync(world.path("home/.git"));
      mkdirSync(world.path("home/work/src"), { recursive: true });
      const prefix = environment("home/work/env");
      const own = { VIRTUAL_ENV: prefix, PYTHONPATH: world.path("home/work/src") };
      const customize = `open("src/sitecustomize.py", "w").write(${q(escaping())})\n`;
      for (const code of [`${customize}${plant(prefix)}`, "6 * 7"]) {
        await using runtime = await open(own, {}, "home/work");
        expect(await ran(runtime, code)).toBe(code === "6 * 7" ? "42\n" : "");
      }
      expect(existsSync(mark())).toBe(false);
    });

    test("a package that an environment elsewhere takes from the project", async () => {
      const prefix = environment("home/env");
      mkdirSync(world.path("project/src"));
      const [packages = ""] = execFileSync("sh", ["-c", `echo ${prefix}/lib/python3*/site-packages`], {
        encoding: "utf8",
      }).split("\n");
      writeFileSync(join(packages, "editable.pth"), `${world.path("project/src")}\n`);
      const customize = `open("src/sitecustomize.py", "w").write(${q(escaping())}) * 0`;
      for (const code of [customize, "6 * 7"]) {
        await using runtime = await open({ VIRTUAL_ENV: prefix });
        expect(await ran(runtime, code)).toBe(code === "6 * 7" ? "42\n" : "0\n");
      }
      expect(existsSync(mark())).toBe(false);
    });

    test("programs and libraries that a cell put where the user's variables lead", async () => {
      const bin = world.path("project/bin");
      mkdirSync(bin);
      const plantAll = py`
        import os
        for name in ("bwrap", "python3", "python", "bash", "sh", "sleep", "grep", "ps", "mkfifo", "rm", "env", "tool-of-rc"):
            with open("bin/" + name, "w") as file:
                file.write("#!/bin/sh\\necho $0 $* >> ${mark()}\\n")
            os.chmod("bin/" + name, 0o755)
        os.makedirs("sub", exist_ok=True)
      `;
      writeFileSync(world.path("home/.bashrc"), `tool-of-rc\n`);
      const before = process.env.PATH;
      process.env.PATH = `${bin}:${before}`;
      try {
        for (const SHELL of [undefined, "/bin/bash"]) {
          await using runtime = await open(
            { PATH: `${bin}:/usr/bin:/bin`, SHELL, LD_LIBRARY_PATH: bin },
            { interpreter: newestPython().path },
          );
          await using toolbox = await createToolbox({ runtime });
          const bash = async (command: string): Promise<string> =>
            JSON.stringify(await toolbox.find("bash")?.run({ command, cwd: "sub" }));
          expect(await ran(runtime, plantAll)).toBe("");
          expect(await bash("echo done")).toContain("done");
        }
      } finally {
        process.env.PATH = before;
      }
      expect(existsSync(mark())).toBe(false);
    });

    test("python.launcher by its name, at the next start", async () => {
      environment("project/.venv");
      const plantNice = py`
        import os
        with open(".venv/bin/nice", "w") as file:
            file.write("#!/bin/sh\\necho x >> ${mark()}\\nshift 2; exec \"$@\"\\n")
        os.chmod(".venv/bin/nice", 0o755)
      `;
      for (const code of [plantNice, "import shutil; os = __import__('os'); os.nice(0), shutil.which('nice')"]) {
        await using runtime = await open({}, { launcher: ["nice", "-n", "3"] });
        const expected = `(${getPriority() + 3}, '${world.path("project/.venv/bin/nice")}')\n`;
        expect(await ran(runtime, code)).toBe(code === plantNice ? "" : expected);
      }
      expect(existsSync(mark())).toBe(false);
      const own = world.path("project/box");
      writeFileSync(own, '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
      await using runtime = await open({}, { launcher: [own] });
      expect(await ran(runtime, "1")).toContain(`begins with ${own}, which code in a sandbox could write`);
    });

    test("rc files of the user's shell, which may lead into the folder, are read inside", async () => {
      writeFileSync(world.path("project/aliases"), `(echo x >> ${mark()}) 2>/dev/null; alias from_rc='echo al\\ias'\n`);
      writeFileSync(world.path("home/.bashrc"), `. ${world.path("project/aliases")}\n`);
      await using runtime = await open({ SHELL: "/bin/bash", API_KEY: "secret" }, { interpreter: newestPython().path });
      await using toolbox = await createToolbox({ runtime });
      const said = JSON.stringify(await toolbox.find("bash")?.run({ command: "from_rc; env" }));
      // The home folder of a strict sandbox is empty.
      expect(said).toMatch(mode === "strict" ? /from_rc: command not found/ : /alias/);
      expect(said).not.toContain("secret");
      expect(existsSync(mark())).toBe(false);
    });

    test("an engine that a cell put on PATH does not count, from a folder below either", async () => {
      const bin = world.path("project/bin");
      const shims = world.path("shims");
      for (const folder of [bin, shims, world.path("project/sub/.git")]) mkdirSync(folder, { recursive: true });
      const name = engine === "bwrap" ? "granary-no-bwrap" : "granary-no-python";
      symlinkSync(join(bin, name), join(shims, name));
      writeFileSync(join(bin, name), "\x7fELF");
      chmodSync(join(bin, name), 0o755);
      const wish = { cwd: world.path("project/sub"), write: [world.path("project")] };
      for (const PATH of [bin, shims]) expect(findProgram(name, { ...wish, env: { PATH } })).toBe(null);
      writeFileSync(join(shims, "granary-own"), "\x7fELF");
      chmodSync(join(shims, "granary-own"), 0o755);
      expect(findProgram("granary-own", { ...wish, env: { PATH: shims } })).toBe(join(shims, "granary-own"));
      writeFileSync(join(shims, "granary-own"), "#!/usr/bin/env bash\n");
      expect(findProgram("granary-own", { ...wish, env: { PATH: shims } })).toBe(null);
    });

    test("folders of earlier sandboxes count, also while they are away", async () => {
      const places = (cwd: string): readonly string[] => {
        const settings = { values: { python: { sandboxWrite: [] } } } as never;
        return writablePlaces({ cwd: world.path(cwd), env: {}, home: world.path("home/granary"), settings });
      };
      mkdirSync(world.path("other"));
      expect(places("other")).not.toContain(world.path("project"));
      await using runtime = await open({}, { interpreter: newestPython().path });
      expect(await ran(runtime, "6 * 7")).toBe("42\n");
      expect(places("other")).toContain(world.path("project"));
      execFileSync("mv", [world.path("project"), world.path("moved")]);
      expect(places("other")).toContain(world.path("project"));
      execFileSync("mv", [world.path("moved"), world.path("project")]);
    });

    test("the environment of the repository around the folder works, also where cells cannot write it", async () => {
      environment("project/.venv");
      await using runtime = await open({}, {}, "project/sub");
      expect(await ran(runtime, "import sys; sys.prefix")).toBe(`'${world.path("project/.venv")}'\n`);
    });

    test("the program behind a version manager's shim is asked inside", async () => {
      const shim = world.path("shims/python3");
      mkdirSync(dirname(shim));
      const program = world.path("project/python3");
      writeFileSync(shim, `#!/bin/sh\nexec ${program} "$@"\n`);
      const notes = `echo x >> ${mark()}\n`;
      writeFileSync(program, `#!/bin/sh\n(${notes}) 2>/dev/null\nexec ${newestPython().path} "$@"\n`);
      for (const path of [shim, program]) chmodSync(path, 0o755);
      await using runtime = await open({ PATH: [dirname(shim), "/usr/bin", "/bin"].join(delimiter) });
      expect(await ran(runtime, "6 * 7")).toBe("42\n");
      expect(existsSync(mark())).toBe(false);
    });
  });
}

const q = JSON.stringify;
