import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { createRuntime } from "../../src/runtime/runtime.ts";
import type { RuntimeOptions } from "../../src/runtime/runtime-options.ts";
import { sandboxRoots } from "../../src/runtime/sandbox/sandbox-roots.ts";
import { startKernel } from "../../src/runtime/start-kernel.ts";
import { chooseEngine } from "../../src/sandbox/engine.ts";
import type { SandboxMode } from "../../src/sandbox/sandbox-plan.ts";
import { requireInside } from "../../src/support/files/roots.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { newestPython } from "../environment/pythons.ts";
import { granary, granaryJson, RunningGranary } from "../hosts/cli/granary.ts";
import { World, whyNotTested } from "./world.ts";

let world: World;
beforeAll(() => {
  world = new World(true);
});
afterAll(() => world.remove());

const around = () => ({ HOME: world.path("home"), GRANARY_HOME: world.path("home/granary"), PATH: "/usr/bin:/bin" });

async function failureOf(options: RuntimeOptions): Promise<string | undefined> {
  await using runtime = await createRuntime({ cwd: world.path("project"), env: around(), ...options });
  return (await runtime.session().run("1").result).failure?.message;
}

const canMount =
  whyNotTested("bwrap") === null &&
  process.getuid?.() === 0 &&
  spawnSync("/usr/bin/unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

describe("nothing starts without the sandbox that was asked for", () => {
  test("on a system without an engine: the message names another way", async () => {
    const wish = { mode: "workspace", engine: "auto", cwd: "/", env: {} } as const;
    expect(await chooseEngine(wish, "freebsd")).toEqual({
      name: null,
      reason: "There is no sandbox for freebsd yet.",
      remedy: expect.stringContaining("python.launcher"),
    });
  });

  test.skipIf(process.platform !== "linux")(
    "strict with python.sandboxEngine: landlock: the message names the setting and its values",
    async () => {
      const { stderr, stdout, exitCode } = await granary(["run", "--sandbox=strict", "-c", "print('started')"], {
        cwd: world.path("project"),
        env: { ...around(), GRANARY_PYTHON_SANDBOX_ENGINE: "landlock" },
      });
      expect(stdout).toBe("");
      expect(stderr).toContain(
        "A strict sandbox needs bubblewrap, and python.sandboxEngine is landlock. " +
          "Use python.sandboxEngine: bwrap or auto. Or use python.sandbox: workspace.\n",
      );
      expect(exitCode).toBe(3);
    },
  );

  test.skipIf(process.platform !== "linux")("without bubblewrap: the choice has its reason, and a remedy", async () => {
    const python = dirname(newestPython().path);
    // Programs in folders that cells may write do not count.
    const wish = {
      cwd: "/nowhere",
      write: ["/usr/bin", "/usr/local/bin"],
      env: { PATH: python },
      landlockUntried: true,
    };
    const choose = (mode: SandboxMode, engine: "auto" | "bwrap") => chooseEngine({ ...wish, mode, engine }, "linux");
    expect(await choose("workspace", "auto")).toMatchObject({
      name: "landlock",
      because: "bubblewrap (bwrap) is not installed",
    });
    for (const refused of [choose("strict", "auto"), choose("workspace", "bwrap")]) {
      expect(await refused).toMatchObject({
        name: null,
        reason: expect.stringContaining("bubblewrap (bwrap) is not installed."),
        remedy: expect.stringContaining("apt install bubblewrap"),
      });
    }
  });

  test("without a folder for temporary files: the message names the variable", async () => {
    const { stdout, stderr, exitCode } = await new RunningGranary(["run", "--sandbox", "-c", "print('started')"], {
      cwd: world.path("project"),
      env: { ...around(), TMPDIR: world.path("nowhere") },
    }).finished;
    expect(stdout).toBe("");
    expect(stderr).not.toContain("    at ");
    expect(stderr).toContain(
      `granary: The private files of a sandbox cannot be in ${world.path("nowhere")}: it does not exist. ` +
        "Set TMPDIR to a folder that you can write.\n",
    );
    expect(exitCode).toBe(3);
  });

  test.skipIf(!canMount)("with a full disk for temporary files: the message names it", async () => {
    const [full, project] = [world.path("full"), world.path("project")];
    mkdirSync(full);
    const filled = `mount -t tmpfs -o size=64k none ${full} && cat /dev/zero > ${full}/all 2> /dev/null; exec "$@"`;
    const { stdout, stderr, exitCode } = await new RunningGranary(["run", "--sandbox", "-c", "print('started')"], {
      cwd: project,
      env: { ...around(), TMPDIR: full, GRANARY_PYTHON_SANDBOX_ENGINE: "bwrap" },
      command: ["/usr/bin/unshare", "-m", "sh", "-c", filled, "sh", process.execPath, inRepository("bin/granary")],
    }).finished;
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 3 });
    expect(stderr).not.toContain("    at ");
    expect(stderr).toContain(
      `granary: The private files of a sandbox cannot be in ${full}: the disk is full. ` +
        "Make room there, or set TMPDIR to a folder that you can write.\n",
    );
  });

  test.skipIf(process.platform !== "linux")(
    "where Granary's folder cannot be written: the message and granary doctor name the variable",
    async () => {
      const around = { cwd: world.path("project"), env: { GRANARY_HOME: "/proc/granary" } };
      const why = "The caches of a sandbox cannot be made in Granary's folder /proc/granary: ";
      const { stdout, stderr, exitCode } = await granary(["run", "--sandbox", "-c", "print('started')"], around);
      expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 3 });
      expect(stderr).toContain(`granary: ${why}`);
      expect(stderr).toContain("name another folder with the variable GRANARY_HOME.\n");
      const off = await granaryJson(["doctor"], around);
      expect(off.document).toMatchObject({
        ok: true,
        sandbox: { engine: null, problem: expect.stringContaining(why) },
      });
      const on = await granaryJson(["doctor"], { ...around, env: { ...around.env, GRANARY_PYTHON_SANDBOX: "strict" } });
      expect(on.document).toMatchObject({ ok: false, sandbox: { engine: null } });
      expect(on.exitCode).toBe(3);
    },
  );

  test("where code could replace a link on the way to Granary's own folder", async () => {
    symlinkSync("../home", world.path("project/to-home"));
    const env = { ...around(), GRANARY_HOME: world.path("project/to-home/granary") };
    const failure = await failureOf({ env, settings: { python: { sandbox: "workspace" } } });
    expect(failure).toContain(
      `passes the link ${world.path("project/to-home")}, which code in a sandbox could replace`,
    );
    expect(failure).toContain("Set GRANARY_HOME to the folder that the link leads to");
    rmSync(world.path("project/to-home"));
  });

  test.each([
    ["a Jupyter kernel of this machine", { settings: { python: { backend: "zmq" } } }, "the backend zmq"],
    ["an external gateway", { settings: { python: { gatewayUrl: "http://127.0.0.1:9" } } }, "an external gateway"],
    ["a running kernel", { attach: "kernel.json" }, "a running kernel"],
  ] as const)("%s", async (_, options, where) => {
    writeFileSync(world.path("project/kernel.json"), "{}");
    const settings = "settings" in options ? options.settings : { python: {} };
    const asked = { ...options, settings: { python: { ...settings.python, sandbox: "workspace" } } } as const;
    expect(await failureOf(asked)).toContain(
      `python.sandbox works on the embedded runner only, and this kernel is on ${where}, so nothing was started.`,
    );
  });
});

describe.each(["landlock", "bwrap"] as const)("a wrong python.sandboxWrite, with %s", (engine) => {
  const failureWith = (folder: string) =>
    failureOf({ settings: { python: { sandbox: "workspace", sandboxEngine: engine, sandboxWrite: [folder] } } });

  test.skipIf(whyNotTested(engine) !== null)("is named in the message", async () => {
    const missing = world.path("missing");
    expect(await failureWith(missing)).toBe(
      `python.sandboxWrite names ${missing}, which does not exist. Create the folder, or take it out of the setting.`,
    );
    for (const folder of ["/", "~"]) {
      expect(await failureWith(folder)).toContain("(python.sandboxWrite) would protect nothing");
    }
  });
});

test.each([
  ["the home folder", "home", [], "A sandbox in HOME would protect nothing, because your home folder is in it."],
  ["a folder around it", "", [], "would protect nothing, because your home folder is in it."],
  [
    "python.sandboxWrite: ~",
    "project",
    ["~"],
    "A sandbox that may write HOME (python.sandboxWrite) would protect nothing",
  ],
  ["python.sandboxWrite: ~/.ssh", "project", ["~/.ssh"], "A sandbox hides HOME/.ssh, and HOME/.ssh is in it."],
] as const)("tools for files have no folder where cells have none: %s", async (_, folder, sandboxWrite, sentence) => {
  const home = world.path("home");
  const settings = { python: { sandbox: "workspace", sandboxWrite } } as const;
  await using runtime = await createRuntime({ cwd: world.path(folder), env: around(), settings });
  await using toolbox = await createToolbox({ runtime });
  const problem = expect.stringContaining(sentence.replaceAll("HOME", home));
  expect(toolbox.notices).toEqual([problem]);
  const refusal = { isError: true, structured: { error: { code: "sandbox", message: problem } } };
  const writes = [join(home, "written"), world.path("project/new")];
  for (const path of writes) expect(await toolbox.find("write")?.run({ path, content: "x" })).toMatchObject(refusal);
  expect(await toolbox.find("read")?.run({ path: join(home, ".ssh/id_rsa") })).toMatchObject(refusal);
  expect(writes.filter((path) => existsSync(path))).toEqual([]);
});

test("tools for files stay away from Granary itself, where it is in the working folder, and work in its own folder", async () => {
  const granary = inRepository("");
  const inParent = sandboxRoots(dirname(granary), { sandboxWrite: [] }, undefined, around());
  await expect(requireInside(inParent, join(granary, "package.json"))).rejects.toThrow("is protected");
  await expect(requireInside(inParent, join(dirname(granary), "package.json"))).resolves.toMatch(/package\.json$/);
  const within = sandboxRoots(granary, { sandboxWrite: [] }, undefined, process.env);
  await expect(requireInside(within, join(granary, "package.json"))).resolves.toMatch(/package\.json$/);
});

const leftBehind = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith("granary-sandbox-") && name.includes(`-${process.pid}-`));

test.skipIf(whyNotTested("landlock") !== null)("a kernel by itself removes the files of its sandbox", async () => {
  const before = leftBehind();
  const settings = { python: { sandbox: "workspace", sandboxEngine: "landlock" } } as const;
  const options = { cwd: world.path("project"), env: around(), settings } as const;
  const kernel = await startKernel({ ...options, interpreter: newestPython().path });
  expect(leftBehind()).not.toEqual(before);
  await kernel.close();
  await kernel.exited;
  expect(leftBehind()).toEqual(before);
  await expect(startKernel({ ...options, interpreter: "/bin/false" })).rejects.toThrow();
  expect(leftBehind()).toEqual(before);
});
