import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { openSandbox } from "../../src/sandbox/sandbox.ts";
import { engineFor, systemPython as python, skipReason, World, whyNotTested } from "./world.ts";

const engines = [
  { engine: "bwrap", mode: "workspace" },
  { engine: "bwrap", mode: "strict" },
  { engine: "landlock", mode: "workspace" },
] as const;

for (const { engine, mode } of engines) {
  const title = `links that lead nowhere, in ${engine} (${mode})${skipReason(engine)}`;
  describe.skipIf(whyNotTested(engine) !== null)(title, () => {
    let world: World;
    beforeEach(() => {
      world = new World(true);
    });
    afterEach(() => world?.remove());

    const link = (target: string, name: string): void => {
      rmSync(world.path(name), { recursive: true, force: true });
      mkdirSync(dirname(world.path(name)), { recursive: true });
      symlinkSync(target, world.path(name));
    };
    const open = (env: Readonly<Record<string, string>> = {}) =>
      createRuntime({
        cwd: world.path("project"),
        env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary"), ...env },
        settings: { python: { sandbox: mode, sandboxEngine: engine, interpreter: python } },
      });
    const run = async (code: string, env = {}): Promise<string> => {
      await using runtime = await open(env);
      const { output, error, failure } = await runtime.session().run(code).result;
      return output + (error?.message ?? "") + (failure?.message ?? "");
    };

    test("in the places of secrets stop no start", async () => {
      link(world.path("absent/aws"), "home/.aws");
      link(".docker", "home/.docker");
      link("../absent", "home/.config/gh");
      expect(await run("6 * 7")).toBe("42\n");
      expect(existsSync(world.path("absent"))).toBe(false);
    });

    test("in the places of protected names stop no start, and the other names stay protected", async () => {
      link("nowhere", "project/.envrc");
      link(".idea", "project/.idea");
      link("../../absent", "project/.git/hooks");
      link("nowhere", "project/.config");
      expect(await run("6 * 7")).toBe("42\n");
      expect(await run(`open(".git/config", "a")`)).toMatch(/Read-only|Permission denied/);
      expect(existsSync(world.path("project/nowhere"))).toBe(false);
    });

    test("named by variables of secrets stop no start, and nothing is made at their other ends", async () => {
      link("self", "project/self");
      link(`/oldroot${world.path("outside/escaped-by-start")}`, "project/key.json");
      const names = {
        GOOGLE_APPLICATION_CREDENTIALS: "key.json",
        KUBECONFIG: "self",
        NETRC: world.path("project/self"),
      };
      expect(await run("6 * 7", names)).toBe("42\n");
      expect(world.path("outside/escaped-by-start")).not.toSatisfy(existsSync);
      expect(readdirSync(world.path("project"))).toEqual(expect.arrayContaining(["key.json", "self"]));
    });

    test("that replace a secret between the plan and the start make no file at their other ends", () => {
      writeFileSync(world.path("project/key.json"), "secret");
      const sandbox = openSandbox(
        {
          ...{ mode, network: "off", cwd: world.path("project"), write: [], show: [], sockets: [] },
          ...{ userHome: world.path("home"), granaryHome: world.path("home/granary") },
          env: { GOOGLE_APPLICATION_CREDENTIALS: world.path("project/key.json") },
        },
        engineFor(engine, python),
      );
      try {
        link(`/oldroot${world.path("outside/escaped-by-start")}`, "project/key.json");
        const [program = "", ...args] = [...sandbox.launcher, python, "-c", "1"];
        spawnSync(program, args, { env: { PATH: "/usr/bin:/bin" } });
        expect(world.path("outside/escaped-by-start")).not.toSatisfy(existsSync);
      } finally {
        sandbox.close();
      }
    });

    test.skipIf(engine !== "landlock")("to a place where a secret appears later do not open it", async () => {
      link(world.path("mounts/disk/aws"), "home/.aws");
      mkdirSync(world.path("mounts/other"), { recursive: true });
      writeFileSync(world.path("mounts/other/file"), "known");
      await using runtime = await open();
      const read = async (path: string): Promise<string> => {
        const code = `print(open(${JSON.stringify(world.path(path))}).read())`;
        const { output, error } = await runtime.session().run(code).result;
        return error?.name ?? output.trim();
      };
      expect(await read("mounts/other/file")).toBe("known");
      mkdirSync(world.path("mounts/disk/aws"), { recursive: true });
      writeFileSync(world.path("mounts/disk/aws/credentials"), "secret");
      expect(await read("home/.aws/credentials")).toBe("PermissionError");
      expect(await read("mounts/disk/aws/credentials")).toBe("PermissionError");
    });
  });
}
