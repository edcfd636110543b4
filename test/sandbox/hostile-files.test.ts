import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { newestPython } from "../environment/pythons.ts";
import { notebookText } from "../execute/notebook-runs.ts";
import { granary } from "../hosts/cli/granary.ts";
import { py } from "../kernel/py.ts";
import { skipReason, World, whyNotTested } from "./world.ts";

for (const engine of ["landlock", "bwrap"] as const) {
  const where = `${engine}${skipReason(engine)}`;
  describe.skipIf(whyNotTested(engine) !== null)(`files that a cell prepares for Granary, in ${where}`, () => {
    let world: World;
    beforeAll(() => {
      world = new World(true);
    });
    afterAll(() => world?.remove());

    const open = (mode: object = { sandbox: "workspace" }): Promise<Runtime> =>
      createRuntime({
        cwd: world.path("project"),
        env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
        settings: { python: { ...mode, sandboxEngine: engine, interpreter: newestPython().path } },
      });
    const inCell = async (runtime: Runtime, code: string): Promise<string> => {
      await using toolbox = await createToolbox({ runtime });
      return JSON.stringify(await toolbox.find("python")?.run({ cells: [{ code }] }));
    };

    test("forged leftovers of a killed writer bring no file of the user into the folder", async () => {
      await using runtime = await open();
      const answer = await inCell(
        runtime,
        py`
          import os
          file = os.open("f", os.O_RDWR | os.O_CREAT)
          os.symlink(${JSON.stringify(world.path("home/.ssh/id_rsa"))}, ".f.aaaaaaaaaaaa.new")
          open(".f.aaaaaaaaaaaa.old", "w").write("x")
          open(".f.lock", "w").write("?")
          os.utime(".f.lock", (0, 0))
          tool.write(path="f", content="z")
          print("written:", open("f").read(), os.pread(file, 100, 0))
        `,
      );
      expect(answer).toContain("written: z b''");
      expect(readFileSync(world.path("home/.ssh/id_rsa"), "utf8")).toBe("private key");
    });

    test("pipes and devices as lock files block nothing", async () => {
      await using runtime = await open();
      const answer = await inCell(
        runtime,
        py`
          import os, threading
          def write(number):
              os.mkfifo(f".p{number}.lock")
              os.symlink("/dev/zero", f".z{number}.lock")
              tool.write(path=f"p{number}", content="z")
              tool.write(path=f"z{number}", content="z")
          threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
          for thread in threads: thread.start()
          for thread in threads: thread.join()
          print("written:", sum(os.path.exists(f"{kind}{number}") for number in range(6) for kind in "pz"))
        `,
      );
      expect(answer).toContain("written: 12");
    });

    test("a root of the tools that a cell replaced by a link leads nowhere else", async () => {
      await using runtime = await open();
      await using toolbox = await createToolbox({ runtime, roots: ["sub"] });
      const run = async (name: string, input: object) => JSON.stringify(await toolbox.find(name)?.run(input));
      const [sub, home] = [world.path("project/sub"), world.path("home")].map((path) => JSON.stringify(path));
      const swapped = await run("python", {
        cells: [
          { code: `import os\nos.rename(${sub}, ${sub} + "-kept")\nos.symlink(${home}, ${sub})\nprint("swapped")` },
        ],
      });
      expect(swapped).toContain("swapped");
      expect(await run("read", { path: world.path("project/sub/.ssh/id_rsa") })).toContain(
        "no other folder is allowed",
      );
      expect(await run("write", { path: world.path("project/sub/.bashrc"), content: "evil" })).toContain(
        "no other folder is allowed",
      );
      expect(readFileSync(world.path("home/.bashrc"), "utf8")).toBe("");
    });

    test("hooks that the user names while tools are in use cannot be written by them, also after the name is gone", async () => {
      const git = (...args: string[]) => execFileSync("git", args, { cwd: world.path("project") });
      git("init", "-q");
      mkdirSync(world.path("project/own-hooks"));
      await using runtime = await open();
      await using toolbox = await createToolbox({ runtime });
      const write = async () =>
        JSON.stringify(await toolbox.find("write")?.run({ path: "own-hooks/pre-commit", content: "evil" }));
      git("config", "core.hooksPath", "own-hooks");
      expect(await write()).toContain("is protected");
      git("config", "--unset", "core.hooksPath");
      expect(await write()).toContain("is protected");
      expect(existsSync(world.path("project/own-hooks/pre-commit"))).toBe(false);
    });

    test("a folder whose own settings ask for a sandbox lends its cells no tools without one", async () => {
      const folder = world.path("careful");
      mkdirSync(`${folder}/.granary`, { recursive: true });
      writeFileSync(`${folder}/.granary/settings.json`, JSON.stringify({ "python.sandbox": "workspace" }));
      await using runtime = await open({});
      await using toolbox = await createToolbox({ runtime });
      const run = async (name: string, input: object) => JSON.stringify(await toolbox.find(name)?.run(input));
      const victim = JSON.stringify(world.path("outside/victim"));
      const inCareful = (code: string) => run("python", { cells: [{ code }], cwd: folder });
      expect(await inCareful(`tool.write(path=${victim}, content="evil")`)).toContain("cannot call tools");
      expect(await inCareful(`tool.bash(command="echo evil > " + ${victim})`)).toContain("cannot call tools");
      writeFileSync(`${folder}/n.ipynb`, notebookText([`import os\nos.symlink(${victim}, "out.ipynb")`, "1"]));
      const ran = await run("notebook", {
        action: "run",
        path: `${folder}/n.ipynb`,
        out: `${folder}/out.ipynb`,
        cwd: folder,
      });
      expect(ran).toContain("no other folder is allowed");
      expect(readFileSync(world.path("outside/victim"), "utf8")).toBe("untouched");
      expect(await run("python", { cells: [{ code: "print(len(tool.read(path='sub-kept')))" }] })).not.toContain(
        "cannot call",
      );
    });

    describe("granary notebook run", () => {
      const notebook = (args: readonly string[]) =>
        granary(["notebook", ...args], {
          cwd: world.path("project"),
          env: {
            ...{ HOME: world.path("home"), GRANARY_HOME: world.path("home/granary"), GRANARY_HUB: "never" },
            GRANARY_PYTHON_SANDBOX_ENGINE: engine,
          },
        });
      const run = (args: readonly string[]) => notebook(["run", ...args]);
      const linking = (name: string, target: string): string => py`
        import os
        os.path.lexists(${JSON.stringify(name)}) and os.remove(${JSON.stringify(name)})
        os.symlink(${JSON.stringify(target)}, ${JSON.stringify(name)})
      `;
      const write = (...cells: string[]): void => {
        rmSync(world.path("project/n.ipynb"), { force: true });
        writeFileSync(world.path("project/n.ipynb"), notebookText([...cells, "print('evil')"]));
      };

      test("saves no result through a link that a cell made", async () => {
        const victims = ["outside/victim", "project/.cursor/mcp.json"].map((name) => world.path(name));
        const before = victims.map((path) => readFileSync(path, "utf8"));
        for (const victim of victims) {
          write(linking("out.ipynb", victim));
          const { stderr, exitCode } = await run(["--sandbox", "n.ipynb", "--out", "out.ipynb"]);
          expect({ stderr, failed: exitCode !== 0 }).toEqual({
            stderr: expect.stringMatching(/no other folder is allowed|code in the sandbox may have made|is protected/),
            failed: true,
          });
        }
        expect(victims.map((path) => readFileSync(path, "utf8"))).toEqual(before);
      });

      test("changes no other notebook through a link in the place of its own", async () => {
        const other = world.path("outside/other.ipynb");
        writeFileSync(other, notebookText([]));
        write(linking("n.ipynb", other));
        const { stderr, exitCode } = await run(["--sandbox", "n.ipynb"]);
        expect({ stderr, failed: exitCode !== 0 }).toEqual({
          stderr: expect.stringContaining("no other folder is allowed"),
          failed: true,
        });
        expect(readFileSync(other, "utf8")).toBe(notebookText([]));
      });

      test("saves no result through such a link in a folder that a link of the user leads to", async () => {
        mkdirSync(world.path("project/results"), { recursive: true });
        symlinkSync("project/results", world.path("to-results"));
        const victim = world.path("home/.bashrc");
        write(linking(world.path("project/results/out.ipynb"), victim));
        const { stderr, exitCode } = await run(["--sandbox", "n.ipynb", "--out", world.path("to-results/out.ipynb")]);
        expect({ stderr, failed: exitCode !== 0 }).toEqual({
          stderr: expect.stringContaining("no other folder is allowed"),
          failed: true,
        });
        expect(readFileSync(victim, "utf8")).toBe("");
        write();
        const again = await run(["--sandbox", "n.ipynb", "--out", world.path("to-results/good.ipynb")]);
        expect(again).toMatchObject({ exitCode: 0 });
        expect(readFileSync(world.path("project/results/good.ipynb"), "utf8")).toContain("evil");
      });

      test("later commands write nothing through such links", async () => {
        const victim = world.path("home/.bashrc");
        write(linking("n.py", victim), linking("old.ipynb", victim));
        expect(await run(["--sandbox", "n.ipynb"])).toMatchObject({ exitCode: 0 });
        for (const args of [
          ["export", "n.ipynb", "--to", "script", "--overwrite"],
          ["new", "old.ipynb", "--overwrite"],
        ]) {
          const { stderr, exitCode } = await notebook(args);
          expect({ stderr, failed: exitCode !== 0 }).toEqual({
            stderr: expect.stringContaining("code in an earlier sandbox may have made"),
            failed: true,
          });
        }
        expect(readFileSync(victim, "utf8")).toBe("");
        mkdirSync(world.path("results"), { recursive: true });
        expect(
          await notebook(["export", "n.ipynb", "--to", "script", "--output", world.path("results/n.py")]),
        ).toMatchObject({
          exitCode: 0,
        });
      });

      test("saves to another folder that the user names, which cells cannot write", async () => {
        mkdirSync(world.path("results"), { recursive: true });
        write();
        const result = world.path("results/n.ipynb");
        expect(await run(["--sandbox", "n.ipynb", "--out", result])).toMatchObject({ exitCode: 0 });
        expect(readFileSync(result, "utf8")).toContain("evil");
        expect(existsSync(world.path("results/.n.ipynb.lock"))).toBe(false);
      });
    });
  });
}
