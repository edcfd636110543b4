import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { openSandbox } from "../../../src/sandbox/sandbox.ts";
import { engineFor, systemPython as python, skipReason, World, whyNotTested } from "../world.ts";

const calls = { openat2: 437, mount_setattr: 442, move_mount: 429, landlock_create_ruleset: 444 };

describe.skipIf(whyNotTested("landlock") !== null)(
  `Landlock where a container's filter does not know system calls for mounts${skipReason("landlock")}`,
  () => {
    let world: World;
    beforeAll(() => {
      world = new World(true);
    });
    afterAll(() => world?.remove());

    const start = (without: readonly number[]) => {
      const sandbox = world.open("landlock", "workspace", python);
      const read = `cat ${world.path("home/.ssh/id_rsa")}; echo x > ${world.path("outside/escaped")}`;
      const program = ["/bin/sh", "-c", `echo mounts: $GRANARY_SANDBOX_MOUNTS; touch made; ${read}`];
      const script = inRepository("test/sandbox/landlock/without_calls.py");
      const args = ["-I", script, inRepository("python"), without.join(","), ...sandbox.launcher, ...program];
      try {
        return spawnSync(python, args, { encoding: "utf8", env: { PATH: "/usr/bin:/bin" } });
      } finally {
        sandbox.close();
      }
    };

    test.each([
      ["openat2", [calls.openat2]],
      ["mount_setattr", [calls.mount_setattr]],
      ["both", [calls.openat2, calls.mount_setattr]],
    ] as const)("without %s, it has the limits of a system without a mount namespace", (_, without) => {
      const { stdout, stderr } = start(without);
      expect(stdout).toBe("mounts: 0\n");
      expect(stderr).toMatch(/id_rsa: Permission denied.*\n.*escaped: Permission denied/);
      expect(existsSync(world.path("project/made"))).toBe(true);
      expect(existsSync(world.path("outside/escaped"))).toBe(false);
    });

    test("without a mount namespace, nothing starts where a secret is in the working folder", () => {
      const secret = world.path("project/keys/key.json");
      mkdirSync(world.path("project/keys"));
      writeFileSync(secret, "secret");
      const sandbox = openSandbox(
        {
          ...{ mode: "workspace", network: "off", cwd: world.path("project"), write: [], show: [], sockets: [] },
          ...{ userHome: world.path("home"), granaryHome: world.path("home/granary") },
          env: { GOOGLE_APPLICATION_CREDENTIALS: secret },
        },
        engineFor("landlock", python, true),
      );
      try {
        const [program = "", ...args] = [...sandbox.launcher, "/bin/cat", secret];
        const { stdout, stderr, status } = spawnSync(program, args, { encoding: "utf8", env: {} });
        expect({ stdout, status }).toEqual({ stdout: "", status: 1 });
        expect(stderr).toContain(`${secret} is hidden, but lies in a folder that programs may write.`);
        expect(stderr).toMatch(/a mount namespace, which this system does not allow\. Move it out of the folder\n$/);
      } finally {
        sandbox.close();
        rmSync(world.path("project/keys"), { recursive: true });
      }
    });

    test("without another one of them, nothing starts", () => {
      const { stdout, stderr, status } = start([calls.move_mount]);
      expect({ stdout, status }).toEqual({ stdout: "", status: 1 });
      expect(stderr).toMatch(/^granary: the sandbox could not be set up: .*Function not implemented/);
    });

    test("without Landlock itself, nothing starts, and the message has the remedy", () => {
      const { stdout, stderr, status } = start([calls.landlock_create_ruleset]);
      expect({ stdout, status }).toEqual({ stdout: "", status: 1 });
      expect(stderr).toMatch(/could not be set up: .*this kernel has no Landlock. Install bubblewrap/);
    });
  },
);
