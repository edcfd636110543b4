import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { granaryProcess } from "../hosts/cli/granary.ts";
import { py } from "../kernel/py.ts";
import { skipReason, World, whyNotTested } from "./world.ts";

/** The parts of the package that a plain run needs. */
const parts = ["bin", "package.json", "dist/bundle", "dist/run", "dist/run-in-hub", "protocol", "python"];

/** Granary as a dependency of the project, where it loads other packages from beside it, outside of the sandbox. */
for (const engine of ["landlock", "bwrap"] as const) {
  describe.skipIf(whyNotTested(engine) !== null)(`packages of Granary, in ${engine}${skipReason(engine)}`, () => {
    let world: World;
    const modules = (...names: string[]): string => world.path(join("project/node_modules", ...names));
    const install = (folder: string): void => {
      const filter = (path: string): boolean => !/pycache/.test(path);
      for (const name of parts) cpSync(inRepository(name), join(folder, name), { recursive: true, filter });
    };
    beforeAll(() => {
      world = new World(true);
      install(modules("granary"));
      install(world.path("project/packages/granary"));
      mkdirSync(modules("zod"), { recursive: true });
      writeFileSync(modules("zod/index.js"), "untouched");
    });
    afterAll(() => world?.remove());

    test.each([
      ["Granary in node_modules", "node_modules/granary"],
      ["Granary in a workspace", "packages/granary"],
    ])("%s: no package of the project can be changed, replaced or added", async (_where, own) => {
      const attack = py`
        import os, shutil
        def attempt(name, act):
            try:
                act()
                print("DONE", name)
            except OSError:
                pass
        attempt("write", lambda: open("node_modules/zod/index.js", "w").write("evil"))
        attempt("add", lambda: os.makedirs("node_modules/@resvg/resvg-wasm"))
        attempt("own", lambda: open("${own}/bin/granary", "a").write("evil"))
        attempt("remove", lambda: os.remove("node_modules/zod/index.js"))
        attempt("rename", lambda: os.rename("node_modules", "moved"))
        attempt("rename a package", lambda: os.rename("node_modules/zod", "zod"))
        open("own.txt", "w").close()
        print(sorted(os.listdir("node_modules")))
      `;
      const { stdout, stderr } = await granaryProcess(["run", "--sandbox", "-c", attack], {
        cwd: world.path("project"),
        env: {
          ...{ PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
          ...{ GRANARY_PYTHON_SANDBOX_ENGINE: engine, GRANARY_HUB: "never" },
        },
        command: [process.execPath, world.path(`project/${own}/bin/granary`)],
      });
      expect(stderr).toContain("run in a sandbox");
      expect(stdout).toBe("['granary', 'zod']\n");
      expect(readFileSync(modules("zod/index.js"), "utf8")).toBe("untouched");
    });
  });
}
