import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { newestPython } from "../environment/pythons.ts";
import { skipReason, World, whyNotTested } from "./world.ts";

const python = "/usr/bin/python3";

for (const engine of ["landlock", "bwrap"] as const) {
  describe.skipIf(whyNotTested(engine) !== null)(`links that a cell made, in ${engine}${skipReason(engine)}`, () => {
    let world: World;
    beforeAll(() => {
      world = new World(true);
    });
    afterAll(() => world?.remove());

    const write = (path: string): string => `open(${JSON.stringify(world.path(path))}, "w").write("escaped")`;

    test("a protected folder that becomes a link between the plan and the mounts stops the start", () => {
      rmSync(world.path("project/.config"));
      mkdirSync(world.path("project/.config/fish"), { recursive: true });
      writeFileSync(world.path("project/.config/fish/config.fish"), "");
      const sandbox = world.open(engine, "workspace", python);
      try {
        const [program = "", ...args] = [...sandbox.launcher, python, "-c", write("outside/escaped")];
        renameSync(world.path("project/.config"), world.path("project/.config-kept"));
        symlinkSync("../outside", world.path("project/.config"));
        const { stderr, status } = spawnSync(program, args, { encoding: "utf8", env: { PATH: "/usr/bin:/bin" } });
        expect(existsSync(world.path("outside/escaped"))).toBe(false);
        expect({ stderr, failed: status !== 0 }).toEqual({
          stderr: expect.stringMatching(/sandbox could not be set up|bwrap:/),
          failed: true,
        });
      } finally {
        sandbox.close();
      }
    });

    test("a working folder that code in a sandbox around it turned into a link opens nothing at the next start", () => {
      mkdirSync(world.path("around/middle/inner"), { recursive: true });
      mkdirSync(world.path("outside/inner"), { recursive: true });
      const sandbox = world.open(engine, "workspace", python, { cwd: world.path("around/middle/inner") });
      try {
        expect(() => sandbox.launcher).not.toThrow();
        renameSync(world.path("around/middle"), world.path("around/kept"));
        symlinkSync("../outside", world.path("around/middle"));
        expect(() => sandbox.launcher).toThrow(/leads to .*outside\/inner now/);
      } finally {
        sandbox.close();
      }
    });

    test("a working folder that becomes a link between the plan and the mounts stops the start", () => {
      mkdirSync(world.path("open/middle/inner"), { recursive: true });
      mkdirSync(world.path("outside/inner"), { recursive: true });
      const sandbox = world.open(engine, "workspace", python, { cwd: world.path("open/middle/inner") });
      try {
        const [program = "", ...args] = [...sandbox.launcher, python, "-c", write("outside/inner/escaped")];
        renameSync(world.path("open/middle"), world.path("open/kept"));
        symlinkSync("../outside", world.path("open/middle"));
        const { status } = spawnSync(program, args, { encoding: "utf8", env: { PATH: "/usr/bin:/bin" } });
        expect({ failed: status !== 0, escaped: existsSync(world.path("outside/inner/escaped")) }).toEqual({
          failed: true,
          escaped: false,
        });
      } finally {
        sandbox.close();
      }
    });

    test("folders between two writable ones cannot be renamed", () => {
      mkdirSync(world.path("wide/middle/inner"), { recursive: true });
      const inner = world.path("wide/middle/inner");
      const sandbox = world.open(engine, "workspace", python, { cwd: inner, write: [world.path("wide")] });
      try {
        const rename = `import os; os.rename(${JSON.stringify(world.path("wide/middle"))}, ${JSON.stringify(world.path("wide/kept"))})`;
        const [program = "", ...args] = [...sandbox.launcher, python, "-c", rename];
        const { stderr } = spawnSync(program, args, { encoding: "utf8", env: { PATH: "/usr/bin:/bin" } });
        expect(stderr).toContain("Device or resource busy");
      } finally {
        sandbox.close();
      }
    });

    test("a trace in the working folder follows no link, neither an earlier one nor one of this session", async () => {
      const traced = (file: string) =>
        createRuntime({
          cwd: world.path("project"),
          env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
          settings: {
            python: {
              ...{ sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path },
              ipcTrace: world.path(`project/${file}`),
            },
          },
        });
      mkdirSync(world.path("project/logs/deep"), { recursive: true });
      {
        await using runtime = await traced("logs/deep/trace");
        const swap = `import os; os.rename("logs", "kept"); os.makedirs("logs"); os.symlink("../../outside", "logs/deep")`;
        expect((await runtime.session().run(swap).result).status).toBe("ok");
        expect((await runtime.session().run("'after the swap'").result).status).toBe("ok");
      }
      expect(readFileSync(world.path("project/kept/deep/trace"), "utf8")).toContain("hello");
      expect(existsSync(world.path("outside/trace"))).toBe(false);
      await expect(traced("logs/deep/trace")).rejects.toThrow(
        `${world.path("project/logs/deep")} is a link, and code in a sandbox may have made it`,
      );
      execFileSync("mkfifo", [world.path("project/pipe-for-traces")]);
      await expect(traced("pipe-for-traces")).rejects.toThrow("which cannot be written");
      expect(existsSync(world.path("outside/trace"))).toBe(false);
    });

    test.each(["workspace", "strict"] as const)(
      "a protected name at the top that becomes a link to secrets then does not open them (%s)",
      (mode) => {
        if (mode === "strict" && engine === "landlock") return;
        const sandbox = world.open(engine, mode, python);
        const [idea, kept] = [world.path("project/.idea"), world.path("project/.idea-kept")];
        const key = JSON.stringify(world.path("home/.ssh/id_rsa"));
        const look = `print(open(${key}).read())\nprint(open(".idea/id_rsa").read())`;
        try {
          const [program = "", ...args] = [...sandbox.launcher, python, "-c", look];
          renameSync(idea, kept);
          symlinkSync("../home/.ssh", idea);
          const { stdout, status } = spawnSync(program, args, { encoding: "utf8", env: { PATH: "/usr/bin:/bin" } });
          expect({ stdout, failed: status !== 0 }).toEqual({ stdout: "", failed: true });
        } finally {
          rmSync(idea);
          renameSync(kept, idea);
          sandbox.close();
        }
      },
    );

    test("a folder for the next session that leads out of the working folder opens nothing there", async () => {
      rmSync(world.path("project/.config"));
      const env = { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") };
      const settings = {
        python: {
          sandbox: "workspace",
          sandboxEngine: engine,
          interpreter: newestPython().path,
          sandboxWrite: ["way-out"],
        },
      } as const;
      await using runtime = await createRuntime({ cwd: world.path("project"), env, settings });
      const links = `import os\nfor name in ("way-out", "elsewhere"): os.symlink("../outside", name)`;
      expect((await runtime.session().run(links).result).status).toBe("ok");
      const below = runtime.session("below", { cwd: world.path("project/elsewhere") });
      expect((await below.run(write("outside/escaped")).result).error?.name).toMatch(/OSError|PermissionError/);
      await using toolbox = await createToolbox({ runtime });
      const asked = { cells: [{ code: "1" }], cwd: world.path("project/elsewhere"), session: "third" };
      const answer = JSON.stringify(await toolbox.find("python")?.run(asked));
      expect(answer).toContain("no other folder is allowed");
      expect(existsSync(world.path("outside/escaped"))).toBe(false);
    });

    test("in a worktree, the file that names the repository cannot be changed", async () => {
      rmSync(world.path("project/.git"), { recursive: true });
      writeFileSync(world.path("project/.git"), "gitdir: ../repository/.git/worktrees/project\n");
      const env = { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") };
      const settings = {
        python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path },
      } as const;
      await using runtime = await createRuntime({ cwd: world.path("project"), env, settings });
      for (const change of [
        write("project/.git"),
        "import os\nos.rename('.git', 'git')",
        "import os\nos.remove('.git')",
      ]) {
        expect((await runtime.session().run(change).result).error?.name).toMatch(/OSError|PermissionError/);
      }
      await using toolbox = await createToolbox({ runtime });
      const written = await toolbox.find("write")?.run({ path: ".git", content: "gitdir: evil" }).catch(String);
      expect(JSON.stringify(written)).toContain("protected");
    });
  });
}
