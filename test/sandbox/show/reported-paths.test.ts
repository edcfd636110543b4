import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.ts";
import { openSandbox } from "../../../src/sandbox/sandbox.ts";
import type { ToolResult } from "../../../src/tools/definition/tool.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { newestPython } from "../../environment/pythons.ts";
import { py } from "../../kernel/py.ts";
import { textOf } from "../../tools/contexts.ts";
import { engineFor, systemPython, World, whyNotTested } from "../world.ts";

const engines = [
  { engine: "bwrap", mode: "workspace" },
  { engine: "bwrap", mode: "strict" },
  { engine: "landlock", mode: "workspace" },
] as const;

for (const { engine, mode } of engines) {
  describe.skipIf(whyNotTested(engine) !== null)(`paths that a Python reports, in ${engine} (${mode})`, () => {
    let world: World;
    beforeEach(() => {
      world = new World(true);
      write("home/granary/hub/hub.json", "secret");
      write("home/private/notes", mode === "strict" ? "secret" : "");
      writeFileSync(world.tmpFile, "secret");
    });
    afterEach(() => {
      rmSync(world.tmpFile, { force: true });
      world.remove();
    });

    const write = (name: string, content: string): string => {
      mkdirSync(dirname(world.path(name)), { recursive: true });
      writeFileSync(world.path(name), content);
      return world.path(name);
    };
    const program = (name: string, content: string): string => {
      const path = write(name, `#!/bin/sh\n${content}\n`);
      chmodSync(path, 0o755);
      return path;
    };
    interface Choice {
      readonly PATH?: string;
      readonly interpreter?: string;
      readonly GRANARY_HOME?: string;
    }
    const open = ({ PATH = "/usr/bin:/bin", interpreter, GRANARY_HOME }: Choice): Promise<Runtime> =>
      createRuntime({
        cwd: world.path("project"),
        env: { PATH, HOME: world.path("home"), GRANARY_HOME: GRANARY_HOME ?? world.path("home/granary") },
        settings: { python: { sandbox: mode, sandboxEngine: engine, interpreter: interpreter ?? null } },
      });
    const run = async (code: string, choice: Choice): Promise<string> => {
      await using runtime = await open(choice);
      const { output, error, failure } = await runtime.session().run(code).result;
      return output + (error?.message ?? "") + (failure?.message ?? "");
    };
    /** Prints what can be read of the folders that are not for programs inside. */
    const look = (): string => py`
      import os
      def reads(path):
          try:
              return open(path).read() == "secret"
          except OSError:
              return False
      names = ${JSON.stringify(["home/granary/hub/hub.json", "home/private/notes"].map((name) => world.path(name)))}
      print([path for path in [*names, ${JSON.stringify(world.tmpFile)}] if reads(path)])
    `;
    const claims = (): readonly string[] =>
      ["home/granary/hub", "home/granary", "home/private", "home"].map((name) => world.path(name));

    test("behind a shim that is hidden come first for commands", async () => {
      const python = world.path("manager/versions/own/bin/python3");
      mkdirSync(dirname(python), { recursive: true });
      symlinkSync(systemPython, python);
      write("manager/version", "own");
      const shim = program("manager/shims/python3", `exec ${python} "$@"`);
      await using runtime = await open({ PATH: [dirname(shim), "/usr/bin", "/bin"].join(delimiter) });
      await using toolbox = await createToolbox({ runtime });
      const command = "python3 -c 'import sys; print(sys.executable)'";
      const { output } = await runtime.session().run(`!${command}\nprint(bash(${JSON.stringify(command)}))`).result;
      const ran = (await toolbox.find("bash")?.run({ command })) as ToolResult;
      // With a shim that is there, the user's login profile decides.
      const said = mode === "strict" ? [...output.trim().split(/\n+/), textOf(ran)] : [output.split("\n")[0]];
      expect(new Set(said)).toEqual(new Set([python]));
    });

    test("by a program of the folder behind a version manager's shim open nothing", async () => {
      const chosen = program("project/chosen/python3", `exec ${systemPython} "$@"`);
      const shim = program("manager/shims/python3", `exec ${chosen} "$@"`);
      for (const claim of [...claims(), "/tmp", dirname(world.tmpFile)]) {
        const lie = `s#"(prefix|basePrefix)": "[^"]*"#"\\1": "${claim}"#g`;
        program(
          "project/chosen/python3",
          `case "$*" in *granary_probe*) ${systemPython} "$@" | sed -E '${lie}';; *) exec ${systemPython} "$@";; esac`,
        );
        expect(await run(look(), { PATH: `${dirname(shim)}${delimiter}/usr/bin:/bin` })).toBe("[]\n");
      }
    });

    test("with the packages of the user in a sandbox, which an earlier cell wrote, open nothing", async () => {
      const PATH = [dirname(program("manager/shims/python3", `exec ${systemPython} "$@"`)), "/usr/bin", "/bin"].join(
        delimiter,
      );
      const plant = py`
        import os, site
        os.makedirs(site.getusersitepackages(), exist_ok=True)
        with open(site.getusersitepackages() + "/usercustomize.py", "w") as file:
            file.write("import sys; sys.prefix = ${JSON.stringify(world.path("home/granary/hub")).replaceAll('"', "'")}")
      `;
      expect(await run(plant, { PATH })).toBe("");
      const child = `import subprocess; print(subprocess.check_output([${JSON.stringify(systemPython)}, "-c", "import sys; print(sys.prefix)"], text=True), end="")`;
      expect(await run(`${look()}\n${child}`, { PATH })).toBe(`[]\n${world.path("home/granary/hub")}\n`);
    });

    test("by a wrapper that the user names open nothing, and the wrapper runs", async () => {
      const lie = `s#"(prefix|basePrefix)": "[^"]*"#"\\1": "${world.path("home/granary/hub")}"#g`;
      const wrapper = program(
        "tools/bin/wrapper",
        `case "$*" in *granary_probe*) ${systemPython} "$@" | sed -E '${lie}';; *) WRAPPED=yes exec ${systemPython} "$@";; esac`,
      );
      const asked = `${look()}\nprint(os.environ.get("WRAPPED"))`;
      expect(await run(asked, { interpreter: wrapper })).toBe("[]\nyes\n");
    });

    test("behind a shim are shown where they are those of a Python, without what is beside it", async () => {
      const prefix = world.path("manager/versions/own");
      execFileSync(systemPython, ["-m", "venv", "--without-pip", prefix]);
      write("manager/versions/own/notes", "secret");
      if (!existsSync(`${prefix}/lib64`)) symlinkSync("lib", `${prefix}/lib64`);
      const shim = program("manager/shims/python3", `exec ${prefix}/bin/python3 "$@"`);
      const asked = py`
        import os, sys
        print(sys.prefix, os.path.samefile(sys.prefix + "/lib", sys.prefix + "/lib64"), sorted(os.listdir(sys.prefix)))
      `;
      const said = await run(asked, { PATH: `${dirname(shim)}:/usr/bin:/bin` });
      expect(said).toContain(`${prefix} True [`);
      expect(said.includes("notes")).toBe(mode === "workspace");
    });

    test("of Granary's own environment are shown, and nothing else of Granary's folder, also below /tmp", async () => {
      const below = mkdtempSync("/tmp/granary-test-");
      for (const own of [world.path("home/granary"), below]) {
        mkdirSync(`${own}/hub`, { recursive: true });
        execFileSync(newestPython().path, ["-m", "venv", "--without-pip", `${own}/python-env-0123456789ab`]);
        symlinkSync("python-env-0123456789ab", `${own}/python-env`);
        const asked = `import os, sys; print(os.path.realpath(sys.prefix), os.listdir(${JSON.stringify(own)}))`;
        const said = await run(asked, { interpreter: `${own}/python-env/bin/python`, GRANARY_HOME: own });
        expect(said).toContain(`${own}/python-env-0123456789ab [`);
        expect(said).not.toContain("hub");
      }
      rmSync(below, { recursive: true });
    });

    test("around the home folder are not shown, also where it has no secrets", () => {
      const show = [world.path("own"), world.path("own/home")];
      mkdirSync(world.path("own/home/bin"), { recursive: true });
      const sandbox = openSandbox(
        {
          ...{ mode, network: "off", cwd: world.path("project"), write: [], show, sockets: [] },
          ...{ userHome: world.path("own/home"), granaryHome: world.path("home/granary") },
        },
        engineFor(engine, systemPython),
      );
      sandbox.close();
      expect(sandbox.plan.show).toEqual([]);
    });

    test("of an environment elsewhere in Granary's folder are not shown", async () => {
      execFileSync(newestPython().path, ["-m", "venv", "--without-pip", world.path("home/granary/hub")]);
      expect(await run(look(), { interpreter: world.path("home/granary/hub/bin/python") })).not.toContain("hub.json");
    });
  });
}
