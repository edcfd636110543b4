import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { findOwnFolder } from "../../src/runtime/sandbox/own-folder.ts";
import { keptFolder } from "../../src/sandbox/kept-folder.ts";
import { loadSettings } from "../../src/settings/load-settings.ts";
import { rememberPlaces } from "../../src/support/files/foreign/known-places.ts";
import { newestPython } from "../environment/pythons.ts";
import { agentHere } from "../hub/agent.ts";
import { TestHub } from "../hub/test-hub.ts";
import { World } from "./world.ts";

/** Exchanges two names all the time, without a moment in which one is missing. */
const exchanging = `
import ctypes, sys
call, (one, other) = ctypes.CDLL(None).syscall, (name.encode() for name in sys.argv[1:])
print("begun", flush=True)
while True: call(316, -100, one, -100, other, 2)
`;

describe("a working folder that code in a sandbox may have led elsewhere", () => {
  let world: World;
  let env: Record<string, string>;
  beforeEach(() => {
    world = new World(true);
    env = { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") };
  });
  afterEach(() => world.remove());

  test.skipIf(process.platform !== "linux" || process.arch !== "x64")(
    "is refused or the folder itself, while code exchanges it for a link",
    async () => {
      mkdirSync(world.path("project/d"));
      symlinkSync(world.path("outside"), world.path("project/link"));
      const own = world.path("project/d");
      const code = spawn(newestPython().path, ["-c", exchanging, own, world.path("project/link")]);
      await once(code.stdout, "data");
      const seen = new Set<string>();
      try {
        for (let count = 0; count < 2000; count += 1) {
          const { base, astray } = findOwnFolder(own, [[world.path("project")]]);
          if (astray !== undefined) seen.add("refused at once");
          else if (base !== own) seen.add("another folder");
          else {
            try {
              seen.add(keptFolder(base) === own ? "the folder" : "another folder");
            } catch {
              seen.add("refused later");
            }
          }
        }
      } finally {
        code.kill("SIGKILL");
      }
      await once(code, "close");
      expect([...seen].sort()).toEqual(["refused at once", "refused later", "the folder"]);
    },
  );

  test("starts nothing among the caches and private files of sandboxes, with or without one", async () => {
    for (const name of ["home/granary/sandbox/0123456789abcdef/copy", "granary-sandbox-1-2-abcdef/tmp"]) {
      mkdirSync(world.path(name), { recursive: true });
      symlinkSync(world.path(name), world.path("project/copy"));
      for (const sandbox of ["off", "workspace"] as const) {
        await using runtime = await createRuntime({
          cwd: world.path("project/copy"),
          env,
          settings: { python: { sandbox } },
        });
        const { failure } = await runtime.session().run("1").result;
        expect(failure?.message).toMatch(/Sandboxes keep files of their own there|A sandbox hides/);
      }
      renameSync(world.path("project/copy"), world.path(`project/copy-${name.length}`));
    }
  });

  test("has the limits of the folder by whose link a shell entered it", async () => {
    writeFileSync(world.path("project/.granary/settings.json"), '{ "python.sandbox": "workspace" }');
    rememberPlaces(world.path("home/granary"), [world.path("project")]);
    symlinkSync(world.path("outside"), world.path("project/notes"));
    const load = (PWD: string) =>
      loadSettings({ cwd: world.path("outside"), env: { PWD }, home: world.path("home/granary") });
    expect((await load(world.path("project/notes"))).values.python.sandbox).toBe("workspace");
    const below = { cwd: world.path("outside/folder"), env: { PWD: world.path("project/notes") } };
    expect((await loadSettings({ ...below, home: world.path("home/granary") })).values.python.sandbox).toBe(
      "workspace",
    );
    const above = { cwd: world.path(""), env: { PWD: world.path("project/notes") } };
    expect((await loadSettings({ ...above, home: world.path("home/granary") })).values.python.sandbox).toBe(
      "workspace",
    );
    expect((await load(world.path("outside"))).values.python.sandbox).toBe("off");
    expect((await load(world.path("project/sub"))).values.python.sandbox).toBe("off");
  });
});

test("an agent's session follows no link out of a folder in which a sandbox could write", async () => {
  await using hub = new TestHub();
  execFileSync("mkdir", ["-p", "project", "elsewhere"], { cwd: hub.folder });
  rememberPlaces(hub.env.GRANARY_HOME as string, [`${hub.folder}/project`]);
  symlinkSync(`${hub.folder}/elsewhere`, `${hub.folder}/project/notes`);
  execFileSync("mkdir", ["project/own"], { cwd: hub.folder });
  symlinkSync("own", `${hub.folder}/project/inner`);
  await using agent = await agentHere(hub);
  const cells = [{ code: "import os; print('in', os.path.basename(os.getcwd()))" }];
  const said = await agent.call("python", { cells, session: "s", cwd: "project/notes" });
  expect(said).toContain(`Name the folder itself: ${hub.folder}/elsewhere`);
  expect(await agent.call("python", { cells, session: "s", cwd: "elsewhere" })).toContain("in elsewhere");
  const inner = await agent.call("python", { cells, session: "i", cwd: "project/inner" });
  expect(inner).toContain("in own");
});
