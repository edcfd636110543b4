import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mountPlaces } from "../../src/sandbox/mount-places.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { newestPython } from "../environment/pythons.ts";
import { World, whyNotTested } from "./world.ts";

const whyNot = whyNotTested("bwrap");

describe.skipIf(whyNot !== null)("before a program starts in bubblewrap, its mounts are compared with the plan", () => {
  let world: World;
  let sandbox: Sandbox;
  beforeAll(() => {
    world = new World(true);
    sandbox = world.open("bwrap", "workspace", newestPython().path);
  });
  afterAll(() => {
    sandbox?.close();
    world?.remove();
  });

  /** As on systems whose programs are elsewhere: then the shell reads the list itself. */
  const withoutCut = (launcher: readonly string[]): readonly string[] => {
    const end = launcher.indexOf("--chdir");
    return [...launcher.slice(0, end), "--ro-bind", "/dev/null", "/usr/bin/cut", ...launcher.slice(end)];
  };
  const say = ([program = "", ...args]: readonly string[]) => {
    const { stdout, stderr } = spawnSync(program, [...args, "/bin/echo", "started"], { encoding: "utf8" });
    return stdout + stderr;
  };

  describe.each([
    ["by a program of the system", (launcher: readonly string[]) => launcher],
    ["by the shell alone", withoutCut],
  ])("%s", (_, changed) => {
    test("and it starts if they come from where they should", () => {
      expect(say(changed(sandbox.launcher))).toBe("started\n");
    });

    test("and nothing starts if one comes from elsewhere, or is missing", () => {
      const project = mountPlaces()(world.path("project"));
      const planned = changed(sandbox.launcher);
      const elsewhere = planned.map((word) => (word === project ? `${project}x` : word));
      const end = planned.lastIndexOf("--");
      const missing = [...planned.slice(0, end), "/nowhere", project, ...planned.slice(end)];
      expect([elsewhere, missing].map(say)).toEqual([
        `granary: the sandbox could not be set up: ${world.path("project")} was replaced.\n`,
        "granary: the sandbox could not be set up: /nowhere was replaced.\n",
      ]);
    });
  });
});
