import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { protectedPaths } from "../../src/sandbox/protected/protected-files.ts";
import { loadSettings } from "../../src/settings/load-settings.ts";
import { trustFolder } from "../../src/settings/trust/change-trust.ts";
import { consentIn, isTrusted, trustedPaths } from "../../src/settings/trust/trusted-folders.ts";
import { rememberPlaces } from "../../src/support/files/foreign/known-places.ts";
import { granaryProcess } from "../hosts/cli/granary.ts";
import { skipReason, World, whyNotTested } from "./world.ts";

const python = "/usr/bin/python3";

for (const engine of ["landlock", "bwrap"] as const) {
  describe.skipIf(whyNotTested(engine) !== null)(
    `links to what runs outside, in ${engine}${skipReason(engine)}`,
    () => {
      let world: World;
      beforeEach(() => {
        world = new World(true);
      });
      afterEach(() => world.remove());

      const make = (files: Readonly<Record<string, string>>): void => {
        for (const [name, content] of Object.entries(files)) {
          mkdirSync(dirname(world.path(name)), { recursive: true });
          writeFileSync(world.path(name), content);
        }
      };
      /** The outcome of each attempt to append to a file, or to put another in its place. */
      const attempts = (cwd: string, ...names: string[]): string => {
        const trying = [
          "import os, sys",
          "for name in sys.argv[1:]:",
          "    for how in (lambda: open(name, 'a').write('evil'), lambda: os.rename(name, name + '.moved'), lambda: os.rename(os.path.dirname(name) or 'x', 'moved')):",
          "        try: how(); print('changed', name)",
          "        except OSError: pass",
          "open('own', 'w').close()",
        ];
        const trusted = trustedPaths(world.path("home/granary"));
        const sandbox = world.open(engine, "workspace", python, { cwd: world.path(cwd), trusted });
        try {
          const [program = "", ...args] = [...sandbox.launcher, python, "-c", trying.join("\n"), ...names];
          const env = { PATH: "/usr/bin:/bin", HOME: world.path("home"), ...sandbox.env };
          const { stdout, stderr } = spawnSync(program, args, { encoding: "utf8", cwd: world.path(cwd), env });
          expect([stderr, existsSync(world.path(`${cwd}/own`))]).toEqual(["", true]);
          return stdout;
        } finally {
          sandbox.close();
        }
      };

      test("settings, modules and hooks that are links to files of the project are read-only where they lead", () => {
        make({
          "project/shared/.granary/settings.json": "{}",
          "project/src/helpers.py": "",
          "project/tools/pre-push": "",
          "project/plain": "",
        });
        symlinkSync("../shared/.granary/settings.json", world.path("project/.granary/settings.json"));
        symlinkSync("../../src/helpers.py", world.path("project/.granary/modules/helpers.py"));
        symlinkSync("../../tools/pre-push", world.path("project/.git/hooks/pre-push"));
        const linked = ["shared/.granary/settings.json", "src/helpers.py", "tools/pre-push"];
        expect(attempts("project", ...linked)).toBe("");
        expect(attempts("project", "plain")).toContain("changed plain");
        const forTools = protectedPaths({ write: [world.path("project")], userHome: world.path("home") });
        expect(forTools).toEqual(expect.arrayContaining(linked.map((name) => world.path(`project/${name}`))));
      });

      test("settings of a folder above that lead into the working folder are read-only there", () => {
        make({ "project/sub/shared/.granary/settings.json": "{}" });
        symlinkSync("../sub/shared/.granary/settings.json", world.path("project/.granary/settings.json"));
        expect(attempts("project/sub", "shared/.granary/settings.json")).toBe("");
      });

      test("the user's settings and modules, kept in a repository of dotfiles, are read-only in it", () => {
        make({ "dotfiles/granary/settings.json": "{}", "dotfiles/own.py": "" });
        mkdirSync(world.path("home/granary/modules"));
        symlinkSync(world.path("dotfiles/granary/settings.json"), world.path("home/granary/settings.json"));
        symlinkSync(world.path("dotfiles/own.py"), world.path("home/granary/modules/own.py"));
        expect(attempts("dotfiles", "granary/settings.json", "own.py")).toBe("");
      });

      test("folders of modules behind links are read-only where they lead", () => {
        make({ "project/src/modules/own.py": "", "project/dotfiles/modules/own.py": "" });
        rmSync(world.path("project/.granary/modules"), { recursive: true });
        symlinkSync("../src/modules", world.path("project/.granary/modules"));
        symlinkSync(world.path("project/dotfiles/modules"), world.path("home/granary/modules"));
        const files = [
          "src/modules/own.py",
          "src/modules/new.py",
          "dotfiles/modules/own.py",
          "dotfiles/modules/new.py",
        ];
        expect(attempts("project", ...files)).toBe("");
      });

      test("nothing starts where a link on the way to settings, modules or the configuration of git could be made or replaced", () => {
        make({ "project/real.json": "{}" });
        symlinkSync("real.json", world.path("project/link.json"));
        symlinkSync(world.path("project/link.json"), world.path("home/granary/settings.json"));
        const loose = (name: string): string =>
          `leads to ${world.path(name)}, which code in a sandbox could make or replace`;
        expect(() => attempts("project")).toThrow(loose("project/link.json"));
        rmSync(world.path("home/granary/settings.json"));
        symlinkSync("../../not-yet.py", world.path("project/.granary/modules/late.py"));
        expect(() => attempts("project")).toThrow(loose("project/not-yet.py"));
        rmSync(world.path("project/.granary/modules/late.py"));
        symlinkSync(world.path("project/link.json"), world.path("home/.gitconfig"));
        expect(() => attempts("project")).toThrow(loose("project/link.json"));
      });

      test("settings and modules of a trusted folder below the working folder are read-only", async () => {
        make({ "project/sub/.granary/modules/own.py": "", "project/other/.granary/modules/own.py": "" });
        await trustFolder(world.path("project/sub"), world.path("home/granary"));
        const [sub, other] = ["sub", "other"].map((name) => `${name}/.granary/modules/own.py`) as [string, string];
        const changed = attempts("project", sub, other);
        expect([changed.includes(sub), changed.includes(other)]).toEqual([false, true]);
      });

      test("a Node of the project that Granary runs on cannot be replaced", async () => {
        mkdirSync(world.path("project/.venv/bin"), { recursive: true });
        const node = world.path("project/.venv/bin/node");
        cpSync(realpathSync(process.execPath), node);
        chmodSync(node, 0o755);
        const code = `
import os
for how in (lambda: os.unlink(".venv/bin/node"), lambda: open(".venv/bin/node", "a"), lambda: os.rename(".venv/bin", "bin")):
    try: how(); print("changed")
    except OSError as error: print(type(error).__name__)
`;
        const env = { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") };
        const { stdout, stderr } = await granaryProcess(["run", "--sandbox", "-c", code], {
          cwd: world.path("project"),
          env: { ...env, GRANARY_PYTHON_SANDBOX_ENGINE: engine, GRANARY_HUB: "never" },
          command: [node, new URL("../../bin/granary", import.meta.url).pathname],
        });
        expect(
          stdout.split("\n").filter((line) => line !== ""),
          stderr,
        ).toEqual(["OSError", "OSError", "OSError"]);
        expect(readFileSync(node).equals(readFileSync(process.execPath))).toBe(true);
      });
    },
  );
}

test("trust in a folder does not cover folders below one in which code in a sandbox could write, unless the user named them", async () => {
  const world = new World(true);
  try {
    const home = world.path("home/granary");
    const project = world.path("project");
    await trustFolder(project, home);
    const isTrustedIn = async () => [await isTrusted(project, home), await isTrusted(world.path("project/sub"), home)];
    const isCovered = () => consentIn(world.path("project/sub"), project, true, home);
    expect([await isTrustedIn(), await isCovered()]).toEqual([[true, true], true]);
    rememberPlaces(home, [project]);
    expect([await isTrustedIn(), await isCovered()]).toEqual([[true, false], undefined]);
    await trustFolder(world.path("project/sub"), home);
    expect(await isTrustedIn()).toEqual([true, true]);
  } finally {
    world.remove();
  }
});

test("limits of a folder with an earlier sandbox count below it, also once code removed the link to its repository", async () => {
  const world = new World(true);
  try {
    const home = world.path("home/granary");
    mkdirSync(world.path("plain/.granary"), { recursive: true });
    mkdirSync(world.path("plain/sub"));
    writeFileSync(world.path("plain/.granary/settings.json"), '{ "python.sandbox": "workspace" }');
    const sandboxIn = async (cwd: string) =>
      (await loadSettings({ cwd: world.path(cwd), env: {}, home })).values.python.sandbox;
    expect(await sandboxIn("plain/sub")).toBe("off");
    rememberPlaces(home, [world.path("plain")]);
    expect(await sandboxIn("plain/sub")).toBe("workspace");
  } finally {
    world.remove();
  }
});
