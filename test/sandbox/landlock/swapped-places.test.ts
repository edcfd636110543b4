import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { openSandbox } from "../../../src/sandbox/sandbox.ts";
import { engineFor, systemPython as python, skipReason, World, whyNotTested } from "../world.ts";

const users = process.getuid?.() === 0 ? ["root", "an ordinary user"] : ["an ordinary user"];
const where = `Landlock${skipReason("landlock")}`;

describe.skipIf(whyNotTested("landlock") !== null).each(users)(
  `a folder that is a link during any one system call of a start, as %s, in ${where}`,
  (user) => {
    let world: World;
    beforeAll(() => {
      world = new World(user === "root");
      rmSync(world.path("project/.config"));
      mkdirSync(world.path("project/.config/fish"), { recursive: true });
      writeFileSync(world.path("project/.config/fish/config.fish"), "");
      mkdirSync(world.path("project/environment/bin"), { recursive: true });
      writeFileSync(world.path("project/environment/pyvenv.cfg"), "");
      mkdirSync(world.path("project/keys"), { recursive: true });
      writeFileSync(world.path("project/keys/key.json"), "secret");
      world.giveAway(world.folder);
    });
    afterAll(() => world?.remove());

    test.each([
      ["a folder above a protected file", "project/.config/fish", "/"],
      ["a folder that a protected file is in, by way of another", "project/.config", "../outside"],
      ["a protected folder", "project/.idea", "/"],
      ["an environment of Python", "project/environment", "../home/granary"],
      ["a folder with secrets", "project/keys", "../home/.ssh"],
    ])("%s opens nothing", (_, place, target) => {
      const sandbox = openSandbox(
        {
          ...{ mode: "workspace", network: "off", cwd: world.path("project"), write: [], show: [], sockets: [] },
          claimed: [world.path("project/environment")],
          userHome: world.path("home"),
          granaryHome: world.path("home/granary"),
          env: { GOOGLE_APPLICATION_CREDENTIALS: world.path("project/keys/key.json") },
        },
        engineFor("landlock", python),
      );
      const link = world.path("project/link");
      symlinkSync(target, link);
      world.giveAway(world.folder);
      const secret = place === "project/keys" ? "home/.ssh/id_rsa" : "home/granary/token";
      const scene = {
        place: world.path(place),
        link,
        outside: world.path("outside/victim"),
        secret: world.path(secret),
      };
      try {
        const policy = sandbox.launcher.at(-1) ?? "";
        const script = inRepository("test/sandbox/landlock/swapping.py");
        world.giveAway(`${sandbox.plan.tmp}/..`);
        const said = execFileSync(python, ["-I", script, inRepository("python"), policy, JSON.stringify(scene)], {
          encoding: "utf8",
          env: {},
          ...(world.uid !== undefined && { uid: world.uid, gid: world.uid }),
        });
        const { calls, ...outcome } = JSON.parse(said) as { calls: number; refused: number; escapedBy: number[] };
        expect(outcome).toEqual({ refused: expect.any(Number), escapedBy: [] });
        expect(calls).toBeGreaterThan(50);
        expect(outcome.refused).toBeLessThan(calls / 2);
      } finally {
        rmSync(link);
        sandbox.close();
      }
    });
  },
);
