import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { newestPython } from "../environment/pythons.ts";
import { World, whyNotTested } from "./world.ts";

/** Without rights, a mount namespace needs one of users. */
const unshare = process.getuid?.() === 0 ? ["-m"] : ["-Urm"];
const canMount = spawnSync("/usr/bin/unshare", [...unshare, "mount", "--bind", "/usr", "/usr"]).status === 0;

for (const engine of ["landlock", "bwrap"] as const) {
  const whyNot = whyNotTested(engine);
  describe.skipIf(whyNot !== null || !canMount)(`a second mount of the home folder, in ${engine}`, () => {
    let world: World;
    beforeAll(() => {
      world = new World(true);
    });
    afterAll(() => world?.remove());

    test("has no secrets either", () => {
      const code = `
from pathlib import Path
for path in ${JSON.stringify(["home/.ssh/id_rsa", "outside/folder/.ssh/id_rsa", "home/.bashrc", "outside/folder/.bashrc"])}:
    try: print(Path(${JSON.stringify(world.folder)}, path).read_text() or "empty")
    except OSError: print("hidden")
`;
      const granary = [
        process.execPath,
        inRepository("bin/granary"),
        "run",
        "--sandbox",
        "--python",
        newestPython().path,
      ];
      const mount = 'mount --bind "$0/home" "$0/outside/folder" && cd "$0/project" && exec "$@"';
      const { stdout, stderr } = spawnSync(
        "/usr/bin/unshare",
        [...unshare, "sh", "-c", mount, world.folder, ...granary, "-c", code],
        {
          env: {
            PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
            HOME: world.path("home"),
            GRANARY_HOME: world.path("home/granary"),
            GRANARY_HUB: "never",
            GRANARY_PYTHON_SANDBOX_ENGINE: engine,
          },
          encoding: "utf8",
        },
      );
      expect([stdout, stderr]).toEqual(["hidden\nhidden\nempty\nempty\n", expect.stringContaining("sandbox with")]);
    });

    test("is closed to tools, where it is in the working folder", () => {
      const look = `
        const { rootsIn } = await import(${JSON.stringify(inRepository("dist/runtime/sandbox/sandbox-roots.js"))});
        const roots = rootsIn([process.env.PROJECT], process.env.PROJECT, process.env);
        console.log(roots.includes("!" + process.env.PROJECT + "/sub/.ssh"));
      `;
      const mount = 'mount --bind "$0/home" "$0/project/sub" && exec "$@"';
      const node = [process.execPath, "--input-type=module", "-e", look];
      const env = { PATH: "/usr/bin:/bin", HOME: world.path("home"), PROJECT: world.path("project") };
      const { stdout } = spawnSync("/usr/bin/unshare", [...unshare, "sh", "-c", mount, world.folder, ...node], {
        env: { ...env, GRANARY_HOME: world.path("home/granary") },
        encoding: "utf8",
      });
      expect(stdout).toBe("true\n");
    });
  });
}
