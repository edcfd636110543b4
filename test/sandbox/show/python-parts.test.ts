import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime } from "../../../src/runtime/runtime.ts";
import { openSandbox } from "../../../src/sandbox/sandbox.ts";
import { pythonParts } from "../../../src/sandbox/show/python-parts.ts";
import { notebookText } from "../../execute/notebook-runs.ts";
import { granary } from "../../hosts/cli/granary.ts";
import { engineFor, systemPython as python, skipReason, World, whyNotTested } from "../world.ts";

describe.skipIf(whyNotTested("bwrap") !== null)(
  `an environment at the root of the repository, in a strict sandbox below${skipReason("bwrap")}`,
  () => {
    let world: World;
    beforeAll(() => {
      world = new World(true);
      rmSync(world.path("project/.venv"), { recursive: true });
      execFileSync(python, ["-m", "venv", "--without-pip", world.path("project/.venv")]);
      mkdirSync(world.path("home/private"));
      writeFileSync(world.path("home/private/notes"), "secret");
    });
    afterAll(() => world?.remove());

    const inEnvironment = (name: string): string => world.path(`project/.venv/${name}`);
    const open = () =>
      openSandbox(
        {
          ...{ mode: "strict", network: "off", cwd: world.path("project/sub"), write: [], show: [], sockets: [] },
          claimed: [world.path("project/.venv")],
          ...{ userHome: world.path("home"), granaryHome: world.path("home/granary") },
        },
        engineFor("bwrap", python),
      );

    test("opens nothing by links that the repository has in the places of its parts", async () => {
      symlinkSync("../../home", inEnvironment("share"));
      symlinkSync("..", inEnvironment("ssl"));
      try {
        await using runtime = await createRuntime({
          cwd: world.path("project/sub"),
          env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
          settings: { python: { sandbox: "strict", sandboxEngine: "bwrap" } },
        });
        const { output } = await runtime
          .session()
          .run(`import os, sys; print(sys.prefix, sorted(os.listdir("../.venv")))`).result;
        expect(output).toContain(`${world.path("project/.venv")} ['bin', 'include', 'lib'`);
        expect(output).not.toMatch(/share|ssl/);
      } finally {
        for (const name of ["share", "ssl"]) rmSync(inEnvironment(name));
      }
    });

    test("is one that came with the folder, also where only the folder that a command was typed in has it", async () => {
      const top = world.path("unpacked");
      mkdirSync(`${top}/.venv/bin`, { recursive: true });
      mkdirSync(`${top}/notebooks`);
      mkdirSync(world.path("home/private/bin"));
      symlinkSync(python, `${top}/.venv/bin/python`);
      writeFileSync(`${top}/.venv/pyvenv.cfg`, `home = ${world.path("home/private/bin")}\nversion = 3.11.2\n`);
      const look = `import os; print("ran", os.path.exists(${JSON.stringify(world.path("home/private/notes"))}))`;
      writeFileSync(`${top}/notebooks/a.ipynb`, notebookText([look]));
      await granary(["notebook", "run", "--sandbox=strict", "notebooks/a.ipynb"], {
        cwd: top,
        env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
      });
      expect(readFileSync(`${top}/notebooks/a.ipynb`, "utf8")).toContain("ran False");
    });

    test.each(["lib", "."])("is not shown where %s becomes a link between the plan and the mounts", (name) => {
      const sandbox = open();
      const kept = world.path("project/kept");
      try {
        const look = `import os; print(os.path.exists("../.venv/lib/private"), os.path.exists("../.venv/private"))`;
        const [program = "", ...args] = [...sandbox.launcher, python, "-c", look];
        const place = name === "." ? world.path("project/.venv") : inEnvironment(name);
        mkdirSync(world.path("home/bin"), { recursive: true });
        renameSync(place, kept);
        symlinkSync(world.path("home"), place);
        try {
          const { stdout, status } = spawnSync(program, args, { encoding: "utf8", env: { PATH: "/usr/bin:/bin" } });
          expect({ stdout, failed: status !== 0 }).toEqual({ stdout: "", failed: true });
        } finally {
          rmSync(place);
          renameSync(kept, place);
        }
      } finally {
        sandbox.close();
      }
    });

    test("counts with the parts that are in it, and with links from one to another", () => {
      const folder = world.path("outside/made");
      mkdirSync(`${folder}/lib/python3.13t`, { recursive: true });
      mkdirSync(`${folder}/share/other`, { recursive: true });
      symlinkSync("lib", `${folder}/lib64`);
      symlinkSync("../folder", `${folder}/include`);
      expect(pythonParts(folder)).toEqual({ parts: [], links: [] });
      writeFileSync(`${folder}/lib/python3.13t/os.py`, "");
      const links = [{ at: `${folder}/lib64`, to: `${folder}/lib` }];
      expect(pythonParts(folder)).toEqual({ parts: [`${folder}/lib`], links });
      mkdirSync(`${folder}/conda-meta`);
      expect(pythonParts(folder)).toEqual({ parts: [`${folder}/lib`, `${folder}/share`], links });
    });
  },
);
