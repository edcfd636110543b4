import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import type { SettingsOverrides } from "../../src/settings/settings.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { skipReason, World, whyNotTested } from "./world.ts";

describe.skipIf(whyNotTested("bwrap") !== null)(`limits that the project's file sets${skipReason("bwrap")}`, () => {
  let world: World;
  beforeEach(() => {
    world = new World(true);
  });
  afterEach(() => world.remove());

  const limits = { "python.sandbox": "strict", "python.memoryLimitMb": 300, "python.sandboxNetwork": "off" };
  const open = (project: string, settings?: SettingsOverrides): Promise<Runtime> => {
    mkdirSync(world.path(`${project}/.granary`), { recursive: true });
    mkdirSync(world.path("home/granary"), { recursive: true });
    writeFileSync(world.path(`${project}/.granary/settings.json`), JSON.stringify(limits));
    writeFileSync(world.path("home/granary/settings.json"), '{ "python.sandboxNetwork": "on" }');
    const env = { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") };
    return createRuntime({ cwd: world.path(project), env, settings });
  };
  const limitsIn = async (runtime: Runtime, folder: string) => {
    const { python } = (await runtime.startContext("main", folder)).settings.values;
    return [python.sandbox, python.memoryLimitMb, python.sandboxNetwork];
  };

  test.each([
    ["a folder that code made a repository", "project"],
    ["a folder below one that is in no repository", "plain"],
  ])("bind commands and sessions that code starts in %s", async (_where, project) => {
    await using runtime = await open(project);
    await using toolbox = await createToolbox({ runtime });
    const outside = JSON.stringify(world.path("outside"));
    const code = [
      "import os",
      "os.makedirs('in/.git')",
      `command = "cat " + ${outside} + "/victim; touch " + ${outside} + "/by-bash; true"`,
      "print(tool.bash(command=command, cwd='in'))",
      `cell = {"code": "import os; os.path.exists(" + repr(${outside} + "/victim") + ")"}`,
      "print(tool.python(cells=[cell], session='below', cwd='in'))",
    ].join("\n");
    const said = JSON.stringify(await toolbox.find("python")?.run({ cells: [{ code }] }));
    expect(said).toContain("No such file");
    expect(said).toContain("False");
    expect(said).not.toContain("untouched");
    expect(existsSync(world.path("outside/by-bash"))).toBe(false);
  });

  test("count in each folder of a runtime, whatever the folder and the caller's lower limit say", async () => {
    await using runtime = await open("project", { python: { sandbox: "at-least-workspace" } });
    const below = world.path("project/sub");
    mkdirSync(`${below}/.git`);
    expect(await limitsIn(runtime, below)).toEqual(["strict", 300, "off"]);
    mkdirSync(`${below}/.granary`);
    const loose = { "python.sandbox": "off", "python.memoryLimitMb": 0, "python.sandboxNetwork": "on" };
    writeFileSync(`${below}/.granary/settings.json`, JSON.stringify(loose));
    expect(await limitsIn(runtime, below)).toEqual(["strict", 300, "off"]);
    writeFileSync(`${below}/.granary/settings.json`, '{ "python.memoryLimitMb": 100 }');
    expect(await limitsIn(runtime, below)).toEqual(["strict", 100, "off"]);
    expect(await limitsIn(runtime, world.path("outside"))).toEqual(["strict", 300, "off"]);
  });
});
