import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Diagnosis } from "../../../src/hosts/cli/doctor/diagnosis.ts";
import { newestPython } from "../../environment/pythons.ts";
import { groupMembers } from "../../kernel/processes.ts";
import { until } from "../../kernel/until.ts";
import { Machine } from "../../python/machine.ts";
import { makeWheels } from "../../python/managed-wheels.ts";
import { granary, RunningGranary } from "./granary.ts";

let machine: Machine;
let env: Record<string, string>;
beforeAll(async () => {
  machine = await Machine.make();
  makeWheels(machine.path("wheels"), newestPython().path);
  await machine.addScript("bin/uv", ...quickUv);
  env = { HOME: machine.folder, GRANARY_HOME: machine.home, PATH: `${machine.path("bin")}:/usr/bin:/bin` };
});
afterAll(() => machine.remove());

/** The parts of uv that Granary uses, with the test's own packages: real pip takes many seconds, and other tests cover it. */
const quickUv = [
  `case "$1" in`,
  `  venv) for folder; do :; done; exec "$4" -m venv --without-pip "$folder" ;;`,
  `  pip) packages=$("$4" -c 'import site; print(site.getsitepackages()[0])')`,
  `    for wheel in "$HOME"/wheels/*.whl; do "$4" -m zipfile -e "$wheel" "$packages"; done ;;`,
  "esac",
];

const ofNewest = ["--python", newestPython().path];
const setup = (...args: readonly string[]) => granary(["setup", ...args], { env });

// A story, because making an environment takes seconds: each test continues the one before.
describe("granary setup", () => {
  test("--check reports that there is none yet, and changes nothing", async () => {
    expect(await setup("--check")).toEqual({
      stdout: `There is no environment at ${join(machine.home, "python-env")} yet. Make it with: granary setup\n`,
      stderr: "",
      exitCode: 1,
    });
    expect(existsSync(machine.home)).toBe(false);
  });

  test("makes it: progress goes to stderr; its description and use to stdout", async () => {
    const { stdout, stderr, exitCode } = await setup(...ofNewest);
    expect(stdout).toBe(
      `Created. ${join(machine.home, "python-env")} has Python ${newestPython().version} with ipykernel 7.1.0 and jupyter_kernel_gateway 3.0.1.\n` +
        "Jupyter kernels (--backend zmq or gateway) use it where a folder has no environment and the Python on PATH has no ipykernel.\n" +
        `For everything: granary run --python ${join(machine.home, "python-env/bin/python")} …, or the setting python.interpreter.\n`,
    );
    expect(stderr).toContain(`Creating a virtual environment with uv and Python ${newestPython().version}\n`);
    expect(stderr).toContain("Installing ipykernel and jupyter_kernel_gateway with uv\n");
    expect(exitCode).toBe(0);
  });

  test("has nothing to do the second time, and --json reports that in one document", async () => {
    const { stdout, stderr, exitCode } = await setup("--json");
    expect(JSON.parse(stdout)).toMatchObject({ did: "nothing", environment: { state: "ready" } });
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
  });

  test("--check --json reports that it is ready", async () => {
    const { stdout, exitCode } = await setup("--check", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ state: "ready", packages: { ipykernel: "7.1.0" } });
    expect(exitCode).toBe(0);
  });

  test("the Python of a folder stays the same; Jupyter backends use the environment, as does --python with its path", async () => {
    await machine.addLink("bin/python3");
    const managed = join(machine.home, "python-env/bin/python");
    const chosen = async (...args: readonly string[]) => {
      const { stdout } = await granary(["doctor", "--json", ...args.filter((arg) => !arg.includes("="))], {
        env: { ...env, ...Object.fromEntries(args.filter((arg) => arg.includes("=")).map((arg) => arg.split("="))) },
      });
      return (JSON.parse(stdout) as Diagnosis).python.chosen?.executable;
    };
    const where = "import sys; print(sys.prefix)";
    const ran = await granary(["run", "-c", where], { env });
    expect(ran.stdout.trim()).not.toBe(join(machine.home, "python-env"));
    expect(await chosen()).toBe(machine.path("bin/python3"));
    expect(await chosen("GRANARY_PYTHON_BACKEND=zmq")).toBe(managed);
    expect(await chosen("--python", managed)).toBe(managed);
  });

  test("doctor reports it, and kernels run on it where there is no other Python", async () => {
    const { stdout } = await granary(["doctor"], { env: { ...env, PATH: "/nowhere" } });
    expect(stdout).toContain(`managed environment  ready, with Python ${newestPython().version}\n`);
    expect(stdout).toContain("It is Granary's own environment.");
  });
});

describe("a failed granary setup", () => {
  test("without a network shows the tool's message, ends with 3, and leaves nothing behind", async () => {
    const home = machine.path("offline");
    await machine.addScript(
      "offline-bin/uv",
      'case "$1" in pip) echo "error: Failed to fetch: dns error" >&2; exit 1; esac',
    );
    const offline = { ...env, GRANARY_HOME: home, PATH: `${machine.path("offline-bin")}:/usr/bin:/bin` };
    const { stdout, stderr, exitCode } = await granary(["setup", "--json", ...ofNewest], { env: offline });
    expect(JSON.parse(stdout)).toMatchObject({ did: "nothing", error: { code: "no-network" } });
    expect(stderr).toContain("\ngranary: The packages could not be downloaded. Check the network,");
    expect(stderr).toContain("\n  error: Failed to fetch: dns error\n");
    expect(stderr).not.toMatch(/^ +at /m);
    expect(exitCode).toBe(3);
    expect(readdirSync(home)).toEqual([]);
  });

  test("without a Python says what to install", async () => {
    const { stdout, stderr, exitCode } = await granary(["setup"], {
      env: { ...env, PATH: "/nowhere", GRANARY_HOME: machine.path("without") },
    });
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^granary: There is no Python 3\.8 or newer on PATH .* Install Python, or uv/);
    expect(exitCode).toBe(3);
  });

  test("runs no program that came with the folder, wherever PATH finds it", async () => {
    const ran = machine.path("ran");
    for (const name of ["uv", "python3", "python"]) {
      await machine.addScript(`clone/.venv/bin/${name}`, `echo "$0" >> '${ran}'`);
      await machine.addLink(`links/${name}`, machine.path(`clone/.venv/bin/${name}`));
    }
    await machine.addFile("clone/.git/HEAD", "ref: refs/heads/main\n");
    await machine.addFile("clone/deep/er/a.py");
    await machine.addLink("alias", machine.path("clone"));
    const entries = ["clone/.venv/bin", "alias/.venv/bin", "links"].map((name) => machine.path(name));
    for (const cwd of ["clone", "clone/deep/er", "alias/deep"]) {
      const { stderr, exitCode } = await granary(["setup"], {
        cwd: machine.path(cwd),
        env: { HOME: machine.path("user"), GRANARY_HOME: machine.path("hostile"), PATH: entries.join(":") },
      });
      expect({ cwd, ran: existsSync(ran), exitCode }).toEqual({ cwd, ran: false, exitCode: 3 });
      expect(stderr).toContain(`Not using ${entries[0]} of PATH: it came with this folder\n`);
      expect(stderr).toContain("Or name one with --python: those of this folder do not count.");
    }
  });

  test("because Granary's folder cannot be written", async () => {
    const { stderr, exitCode } = await granary(["setup", ...ofNewest], {
      env: { ...env, GRANARY_HOME: "/dev/null/granary" },
    });
    expect(stderr).toMatch(/^granary: Granary's folder \/dev\/null\/granary cannot be written .* GRANARY_HOME\.\n$/);
    expect(exitCode).toBe(3);
  });

  test("because of Ctrl-C: ends with 130, along with every process that it started", async () => {
    const home = machine.path("cancelled");
    const started = machine.path("started");
    await machine.addScript("slow-bin/uv", `echo $$ > ${started}.part && mv ${started}.part ${started}`, "sleep 600");
    const run = new RunningGranary(["setup", ...ofNewest], {
      env: { ...env, GRANARY_HOME: home, PATH: `${machine.path("slow-bin")}:/usr/bin:/bin` },
    });
    await until("uv is at work", () => existsSync(started));
    const group = Number(readFileSync(started, "utf8"));
    expect(groupMembers(group)).not.toEqual([]);
    run.process.kill("SIGINT");
    expect(await run.finished).toMatchObject({ stdout: "", exitCode: 130 });
    expect(groupMembers(group)).toEqual([]);
    expect(readdirSync(home)).toEqual([]);
  });
});
