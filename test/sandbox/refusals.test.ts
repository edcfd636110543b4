import { readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { createRuntime } from "../../src/runtime/runtime.ts";
import type { RuntimeOptions } from "../../src/runtime/runtime-options.ts";
import { sandboxRoots } from "../../src/runtime/sandbox/sandbox-roots.ts";
import { startKernel } from "../../src/runtime/start-kernel.ts";
import { chooseEngine } from "../../src/sandbox/engine.ts";
import { requireInside } from "../../src/support/files/roots.ts";
import { newestPython } from "../environment/pythons.ts";
import { granary, RunningGranary } from "../hosts/cli/granary.ts";
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
    "strict without bubblewrap: the message says how to install it",
    async () => {
      const { stderr, stdout, exitCode } = await granary(["run", "--sandbox=strict", "-c", "print('started')"], {
        cwd: world.path("project"),
        env: { ...around(), GRANARY_PYTHON_SANDBOX_ENGINE: "landlock" },
      });
      expect(stdout).toBe("");
      expect(stderr).toContain("A strict sandbox needs bubblewrap");
      expect(stderr).toContain("apt install bubblewrap");
      expect(exitCode).toBe(3);
    },
  );

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

test("tools for files stay away from Granary itself, where it is in the working folder, and work in its own folder", async () => {
  const granary = inRepository("");
  const around = sandboxRoots(dirname(granary), { sandboxWrite: [] }, undefined, process.env);
  await expect(requireInside(around, join(granary, "package.json"))).rejects.toThrow("is protected");
  await expect(requireInside(around, join(dirname(granary), "package.json"))).resolves.toMatch(/package\.json$/);
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
