import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRuntime } from "../../../src/runtime/runtime.ts";
import { shownPaths } from "../../../src/sandbox/show/shown-paths.ts";
import { newestPython } from "../../environment/pythons.ts";
import { skipReason, World, whyNotTested } from "../world.ts";

const installed = dirname(dirname(realpathSync(newestPython().path)));

describe.skipIf(whyNotTested("bwrap") !== null)(
  `a Python that is reached through links, in a strict sandbox${skipReason("bwrap")}`,
  () => {
    let world: World;
    beforeEach(() => {
      world = new World(true);
      rmSync(world.path("project/.venv"), { recursive: true });
    });
    afterEach(() => world.remove());

    const run = async (code: string, interpreter: string | null = null): Promise<string> => {
      await using runtime = await createRuntime({
        cwd: world.path("project"),
        env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
        settings: { python: { sandbox: "strict", sandboxEngine: "bwrap", interpreter } },
      });
      const { output, error, failure } = await runtime.session().run(code).result;
      return output + (error?.message ?? "") + (failure?.message ?? "");
    };
    const prefixes = "import sys; print(sys.prefix, sys.base_prefix)";

    test("starts where the user names the linked folder of an installation or an environment, also below /tmp", async () => {
      const below = realpathSync(mkdtempSync("/tmp/granary-test-"));
      try {
        for (const folder of [world.path("outside"), below]) {
          symlinkSync(installed, `${folder}/cpython`);
          execFileSync(newestPython().path, ["-m", "venv", "--without-pip", `${folder}/env-2026`]);
          symlinkSync("env-2026", `${folder}/env`);
          expect(await run(prefixes, `${folder}/cpython/bin/python3`)).toContain(`${folder}/cpython `);
          expect(await run(prefixes, `${folder}/env/bin/python`)).toContain(`${folder}/env `);
        }
      } finally {
        rmSync(below, { recursive: true });
      }
    });

    test("starts where the environment of the folder names it so, as uv does", async () => {
      symlinkSync(installed, world.path("outside/cpython"));
      const venv = world.path("project/.venv");
      execFileSync(world.path("outside/cpython/bin/python3"), ["-m", "venv", "--without-pip", venv]);
      expect(await run(prefixes)).toBe(`${venv} ${world.path("outside/cpython")}\n`);
    });

    test("opens nothing by a link that code put in the way", async () => {
      mkdirSync(world.path("home/private/bin"), { recursive: true });
      writeFileSync(world.path("home/private/notes"), "secret");
      symlinkSync(world.path("home/private"), world.path("outside/linked"));
      symlinkSync(newestPython().path, world.path("home/private/bin/python"));
      mkdirSync(world.path("project/.venv/bin"), { recursive: true });
      symlinkSync(world.path("outside/linked/bin/python"), world.path("project/.venv/bin/python"));
      writeFileSync(
        world.path("project/.venv/pyvenv.cfg"),
        `home = ${world.path("outside/linked/bin")}\nversion = 3.11\n`,
      );
      const look = `import os; print([os.path.exists(path) for path in ${JSON.stringify(
        ["outside/linked/notes", "home/private/notes", "outside/victim"].map((name) => world.path(name)),
      )}])`;
      expect(await run(look)).not.toContain("True");
    });

    test("that is in a hidden folder does not start, and the error names the mode", async () => {
      symlinkSync(newestPython().path, world.path("home/.docker/python"));
      mkdirSync(world.path("project/.venv/bin"), { recursive: true });
      symlinkSync(world.path("home/.docker/python"), world.path("project/.venv/bin/python"));
      writeFileSync(world.path("project/.venv/pyvenv.cfg"), `home = ${installed}/bin\nversion = 3.11\n`);
      expect(await run("1")).toContain("A strict sandbox (python.sandbox: strict) shows only");
    });
  },
);

test("links that code may have chosen are not shown in hidden folders", () => {
  const world = new World(true);
  try {
    symlinkSync(installed, world.path("home/.ssh/cpython"));
    symlinkSync(installed, world.path("outside/cpython"));
    const claimed = ["home/.ssh/cpython", "outside/cpython"].map((name) => world.path(name));
    const wish = { trusted: [], claimed, write: [world.path("project")], home: world.path("home") };
    const { links } = shownPaths({ ...wish, secrets: [world.path("home/.ssh")], mayHold: [], exactly: [] });
    expect(links.filter(({ to }) => to === installed).map(({ at }) => at)).toEqual([world.path("outside/cpython")]);
  } finally {
    world.remove();
  }
});
