import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { granaryHome } from "../../src/settings/granary-home.ts";
import { rememberPlaces } from "../../src/support/files/foreign/known-places.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { newestPython } from "../environment/pythons.ts";
import { py } from "../kernel/py.ts";
import { whyNotTested } from "./world.ts";

/** A project in a folder of `/tmp`, which is another one inside. */
const above = realpathSync(mkdtempSync("/tmp/granary-above-"));
const outside = realpathSync(mkdtempSync("/var/tmp/granary-outside-"));
const project = join(above, "deep/project");
mkdirSync(project, { recursive: true });
mkdirSync(join(outside, "deep"));
const home = join(above, "home");
mkdirSync(home);
writeFileSync(join(home, ".bash_history"), "secret");
afterAll(() => {
  for (const folder of [above, outside]) rmSync(folder, { recursive: true, force: true });
});

for (const engine of ["landlock", "bwrap"] as const) {
  describe.skipIf(whyNotTested(engine) !== null)(`a project below /tmp, in ${engine}`, () => {
    test.each([
      ["its writable folder", () => project],
      ["that of another sandbox", () => outside],
    ])("is refused where the private files would be in %s", async (_which, cwd) => {
      const before = process.env.TMPDIR;
      process.env.TMPDIR = project;
      rememberPlaces(granaryHome(process.env), [project]);
      try {
        await using runtime = await createRuntime({
          cwd: cwd(),
          settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path } },
        });
        const { failure } = await runtime.session().run("1").result;
        expect(failure?.message).toMatch(/private files of a sandbox would be in .* Set TMPDIR to another folder\./);
      } finally {
        process.env.TMPDIR = before;
        if (before === undefined) delete process.env.TMPDIR;
      }
    });

    test("git commit knows the user of a home folder below /tmp, and cannot change the configuration", async () => {
      mkdirSync(join(home, ".config/git"), { recursive: true });
      writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Ada\n");
      writeFileSync(join(home, ".config/git/config"), "[user]\n\temail = ada@example.org\n");
      writeFileSync(join(home, ".config/git/credentials"), "secret");
      await using runtime = await createRuntime({
        cwd: project,
        env: { PATH: "/usr/bin:/bin", HOME: home, GRANARY_HOME: join(home, "granary") },
        settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path } },
      });
      const commit = py`
        import os, subprocess
        script = "git init -q /tmp/repo && cd /tmp/repo && git commit -q --allow-empty -m x && git log --format='%an %ae'"
        print(subprocess.run(script, shell=True, capture_output=True, text=True))
        print(sorted(os.listdir(${JSON.stringify(home)})), os.listdir(${JSON.stringify(join(home, ".config/git"))}))
        open(${JSON.stringify(join(home, ".gitconfig"))}, "a").write("evil")
      `;
      const { output, error, failure } = await runtime.session().run(commit).result;
      expect(failure).toBe(null);
      expect(output).toContain("stdout='Ada ada@example.org\\n', stderr=''");
      expect(output).toContain("['.config', '.gitconfig', 'granary'] ['config']");
      expect(error?.name).toBe("OSError");
      expect(readFileSync(join(home, ".gitconfig"), "utf8")).not.toContain("evil");
    });

    test("is a folder in it: /tmp itself, which is another one inside, is refused with a remedy", async () => {
      const failureOf = async (cwd: string, sandboxWrite: string[]): Promise<string | undefined> => {
        const python = {
          sandbox: "workspace",
          sandboxEngine: engine,
          interpreter: newestPython().path,
          sandboxWrite,
        } as const;
        await using runtime = await createRuntime({ cwd, settings: { python } });
        return (await runtime.session().run("1").result).failure?.message;
      };
      const problem = "A sandbox has a private /tmp, so yours cannot be written in it.";
      expect(await failureOf("/tmp", [])).toBe(`${problem} Work in a folder of your own in it: --cwd FOLDER.`);
      expect(await failureOf(project, ["/tmp"])).toBe(`${problem} Name a folder in it in python.sandboxWrite.`);
    });

    test("has the same limits inside as elsewhere", async () => {
      for (const name of [".git/hooks/pre-commit", ".envrc", ".claude/settings.json", "keys/key.json"]) {
        mkdirSync(dirname(join(project, name)), { recursive: true });
        writeFileSync(join(project, name), "secret");
      }
      await using runtime = await createRuntime({
        cwd: project,
        env: {
          ...{ ...process.env, HOME: home, GRANARY_HOME: join(home, "granary") },
          ...{
            GOOGLE_APPLICATION_CREDENTIALS: join(project, "keys/key.json"),
            CLAUDE_CONFIG_DIR: join(project, ".claude"),
          },
        },
        settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path } },
      });
      const attack = py`
        import os
        for path in [".git/hooks/pre-commit", ".envrc", ".claude/settings.json"]:
            try:
                open(path, "w").write("x")
                print("WRITTEN", path)
            except OSError:
                pass
        for path in [".git", "keys", ".claude"]:
            try:
                os.rename(path, "moved")
                print("RENAMED", path)
            except OSError:
                pass
        for path in [".claude/settings.json", "keys/key.json"]:
            try:
                print(open(path).read())
            except OSError:
                print()
      `;
      const { output, status, failure } = await runtime.session().run(attack).result;
      expect({ output, status, failure: failure?.message }).toEqual({
        output: "\n\n",
        status: "ok",
        failure: undefined,
      });
      for (const name of readdirSync(project)) rmSync(join(project, name), { recursive: true });
    });

    test("no folder above it, nor above the private /tmp, can be moved and replaced by a link", async () => {
      await using runtime = await createRuntime({
        cwd: project,
        // Its secrets are gone with the folder that the private one replaces.
        env: { ...process.env, HOME: home, GRANARY_HOME: join(home, "granary") },
        settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path } },
      });
      await using toolbox = await createToolbox({ runtime });
      const attack = py`
        import glob, os
        def attempt(act, *paths):
            try:
                act(*paths)
                print("DONE", act.__name__, *paths)
            except OSError:
                pass
        for top in [${JSON.stringify(above)}, *glob.glob("/tmp/granary-sandbox-*")]:
            for path in [top, top.replace("/tmp", "/var/tmp", 1), top + "/deep", top + "/tmp"]:
                attempt(os.rename, path, "/tmp/moved")
                attempt(os.rmdir, path)
                attempt(os.symlink, ${JSON.stringify(outside)}, path)
            attempt(os.mkdir, top + "/new")
        open("mine", "w").close()
        print(os.path.exists(${JSON.stringify(join(home, ".bash_history"))}))
      `;
      const { output, status } = await runtime.session().run(attack).result;
      expect({ output, status }).toEqual({ output: "False\n", status: "ok" });
      const command = "touch by-command; mkdir -p /tmp/a && pwd";
      expect(JSON.stringify(await toolbox.find("bash")?.run({ command }))).toContain(project);
      expect(readdirSync(project).sort()).toEqual(["by-command", "mine"]);
      expect(readdirSync(join(outside, "deep"))).toEqual([]);
      for (const name of readdirSync(project)) rmSync(join(project, name));
    });
  });
}
