import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { surveyInterpreters } from "../../src/python/find/survey-interpreters.ts";
import { checkManagedEnvironment } from "../../src/python/managed/managed-check.ts";
import { type SetUpOptions, setUpManagedEnvironment } from "../../src/python/managed/managed-environment.ts";
import { newestPython } from "../environment/pythons.ts";
import { isLong } from "../environment/variants.ts";
import { makeWheels } from "./managed-wheels.ts";

const python = newestPython().path;
const folder = realpathSync(mkdtempSync(join(tmpdir(), "granary-managed-")));
const wheels = join(folder, "wheels");
/** pip finds only the test's own packages; there is no uv, even if the machine has one. */
const env = { PATH: "/usr/bin:/bin", HOME: folder, PIP_NO_INDEX: "1", PIP_FIND_LINKS: wheels };
let home: string;
let said: string[];

beforeAll(() => makeWheels(wheels, python));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  said = [];
});

function setUp(options: Partial<SetUpOptions> = {}) {
  const { signal } = new AbortController();
  const onProgress = (line: string) => said.push(line);
  return setUpManagedEnvironment({ home, cwd: folder, env, signal, onProgress, basePython: python, ...options });
}

function run(...args: string[]): string {
  return execFileSync(join(home, "python-env/bin/python"), args, { env, encoding: "utf8", stdio: "pipe" });
}

// Making an environment takes seconds, so each test continues where the previous one ended.
describe("the managed environment", () => {
  beforeAll(() => {
    home = join(folder, "home");
  });
  const ready = { state: "ready", packages: { ipykernel: "7.1.0", jupyter_kernel_gateway: "3.0.1" } };

  test("is missing at first, and asking does not change that", async () => {
    expect(await checkManagedEnvironment({ home, cwd: home })).toEqual({
      state: "missing",
      path: join(home, "python-env"),
    });
    expect(existsSync(home)).toBe(false);
  });

  test("is made once, even for two concurrent calls, without touching any other environment", async () => {
    const project = join(folder, "project");
    execFileSync(python, ["-m", "venv", "--without-pip", project]);
    script(join(project, "bin/uv"), ["echo 'uv: command not found' >&2", "exit 127"]);
    const before = readdirSync(project, { recursive: true });
    const misleading = {
      ...env,
      PATH: [join(project, "bin"), env.PATH].join(delimiter),
      VIRTUAL_ENV: project,
      PYTHONPATH: project,
      PIP_TARGET: join(folder, "target"),
      PIP_USER: "1",
      PIP_REQUIRE_VIRTUALENV: "1",
    };
    const both = await Promise.all([setUp({ env: misleading, basePython: undefined }), setUp({ env: misleading })]);
    expect(both.map(({ did }) => did).sort()).toEqual(["created", "nothing"]);
    expect(both[0].environment).toMatchObject({ ...ready, python: join(home, "python-env/bin/python") });
    expect(readdirSync(project, { recursive: true })).toEqual(before);
    expect(existsSync(join(folder, "target"))).toBe(false);

    expect(said).toContain(`Waiting for another set-up (process ${process.pid})`);
    expect(said.filter((line) => line.startsWith("Installing ipykernel and"))).toHaveLength(1);
    expect(said.join("\n")).toContain("Successfully installed ipykernel-7.1.0");
    expect(lockFiles()).toEqual([]);
  });

  test("is made from the Python behind a virtual environment, which may be deleted", () => {
    expect(run("-c", "import sys; print(sys.base_prefix)").trim()).not.toContain(folder);
  });

  test("is left alone when it is ready", async () => {
    const before = realpathSync(join(home, "python-env"));
    expect(await setUp()).toMatchObject({ did: "nothing", environment: ready });
    expect(said).toEqual([]);
    expect(realpathSync(join(home, "python-env"))).toBe(before);
  });

  test("runs no code of a folder that is linked to it, and loads no library from there, when it is checked", async () => {
    const project = join(folder, "project");
    mkdirSync(join(project, "src"), { recursive: true });
    writeFileSync(join(project, "src/sitecustomize.py"), `open(${JSON.stringify(join(folder, "ran"))}, "w")`);
    const packages = run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").trim();
    const link = join(packages, "__editable__.project.pth");
    writeFileSync(link, `${join(project, "src")}\n`);
    try {
      // A library that cannot be loaded would stop Python.
      writeFileSync(join(project, "libc.so.6"), "no library");
      const leading = { ...env, LD_LIBRARY_PATH: project };
      expect(await checkManagedEnvironment({ home, cwd: project, env: leading })).toMatchObject(ready);
      expect(await setUp({ cwd: project, env: leading })).toMatchObject({ did: "nothing" });
      expect(existsSync(join(folder, "ran"))).toBe(false);
    } finally {
      rmSync(link);
    }
  });

  test("is broken when a package has gone, and says which", async () => {
    run("-m", "pip", "uninstall", "--yes", "--quiet", "ipykernel");
    const state = await checkManagedEnvironment({ home, cwd: home });
    expect(state).toMatchObject({ state: "broken", problem: expect.stringContaining("cannot use ipykernel") });
  });

  test("is made again instead of repaired where a folder is linked to it, whose code would run", async () => {
    const project = join(folder, "project");
    const packages = run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").trim();
    const link = join(packages, "__editable__.project.pth");
    writeFileSync(link, `${join(project, "src")}\n`);
    try {
      await expect(setUp({ cwd: project, basePython: "/no/such/python" })).rejects.toThrow("does not start a Python");
      expect(said).toContain("Making the environment again, because its packages link into this folder");
      expect(existsSync(join(folder, "ran"))).toBe(false);
    } finally {
      rmSync(link);
    }
  });

  test("without a network, the error has the reason and the tool's last lines", async () => {
    // Nothing listens on the discard port.
    const offline = { PATH: env.PATH, HOME: folder, PIP_INDEX_URL: "http://127.0.0.1:9/simple" };
    const failure = await setUp({ env: offline }).catch((error) => error);
    expect(failure).toMatchObject({ name: "GranaryError", code: "no-network" });
    expect(failure.message).toContain("Check the network");
    expect(failure.message).toContain("No matching distribution found for ipykernel");
  });

  test("gets missing packages again, and keeps its other packages", async () => {
    run("-m", "pip", "install", "--quiet", "seaborn");
    expect(await setUp()).toMatchObject({ did: "repaired", environment: ready });
    run("-c", "import seaborn");
  });

  // Makes a second environment, which takes seconds of processor time.
  test.runIf(isLong)("is made again when its Python is gone, and nothing is left of the old one", async () => {
    const path = join(home, "python-env");
    const old = realpathSync(path);
    rmSync(join(old, "bin"), { recursive: true });
    // A folder instead of a link, as made by hand, is also replaced.
    rmSync(path);
    renameSync(old, path);
    mkdirSync(join(home, "python-env-0123456789ab/half-built"), { recursive: true });
    mkdirSync(join(home, "python-env-of-the-user"));
    expect(await checkManagedEnvironment({ home, cwd: home })).toMatchObject({
      state: "broken",
      problem: expect.stringContaining("does not start"),
    });

    expect(await setUp()).toMatchObject({ did: "repaired", environment: ready });
    const made = basename(realpathSync(path));
    expect(readdirSync(home).sort()).toEqual(["python-env", made, "python-env-of-the-user"].sort());
  });
});

describe("setting up", () => {
  beforeEach(() => {
    home = mkdtempSync(join(folder, "home-"));
  });

  test("cancelled, leaves nothing running and nothing half-made", async () => {
    const cancel = new AbortController();
    const cancelling = setUp({ signal: cancel.signal, onProgress: () => cancel.abort() });
    await expect(cancelling).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    expect(readdirSync(home)).toEqual([]);
    expect(await checkManagedEnvironment({ home, cwd: home })).toMatchObject({ state: "missing" });
  });

  test("a broken Python in its place is reported with its own words", async () => {
    script(join(home, "python-env/bin/python"), ["echo not a Python", "exit 1"]);
    expect(await checkManagedEnvironment({ home, cwd: home })).toMatchObject({
      state: "broken",
      problem: `${join(home, "python-env/bin/python")} does not start: not a Python.`,
      working: null,
    });
  });

  test("an environment that was made of a Python in the folder is looked at, and that Python is not started", async () => {
    const project = join(folder, "pixi");
    script(join(project, "bin/python3.12"), [`touch ${join(folder, "started")}`, "exit 1"]);
    const environment = join(home, "python-env");
    mkdirSync(join(environment, "bin"), { recursive: true });
    symlinkSync(join(project, "bin/python3.12"), join(environment, "bin/python"));
    writeFileSync(join(environment, "pyvenv.cfg"), `home = ${join(project, "bin")}\nversion = 3.12.1\n`);
    const packages = join(environment, "lib/python3.12/site-packages");
    mkdirSync(join(packages, "ipykernel-7.1.0.dist-info"), { recursive: true });
    const check = () => checkManagedEnvironment({ home, cwd: project, env });
    expect(await check()).toMatchObject({
      state: "broken",
      problem: expect.stringContaining("jupyter_kernel_gateway"),
    });
    mkdirSync(join(packages, "jupyter_kernel_gateway-3.0.1.dist-info"));
    expect(await check()).toMatchObject({ state: "ready", version: "3.12.1", packages: { ipykernel: "7.1.0" } });
    const search = { home, cwd: project, env, looksOnly: true, skipCheck: false, forJupyter: true } as const;
    await surveyInterpreters(search);
    expect(existsSync(join(folder, "started"))).toBe(false);
  });

  test("a Python without ensurepip, as on Debian, names the package to install", async () => {
    writeFileSync(join(home, "sitecustomize.py"), "import sys; sys.modules['ensurepip'] = None");
    script(join(home, "debian-python"), [`PYTHONPATH=${home} exec ${python} "$@"`]);
    const failure = await setUp({ basePython: join(home, "debian-python") }).catch((error) => error);
    expect(failure).toMatchObject({ code: "no-venv" });
    const minor = newestPython().version.replace(/\.\d+$/, "");
    expect(failure.message).toContain(`sudo apt install python${minor}-venv`);
  });

  test("no Python at all, or one too old, is an error with a remedy", async () => {
    script(join(home, "bin/python3"), ["echo 3.7.17", "echo True", "echo /usr/bin/python3.7"]);
    const only = { ...env, PATH: join(home, "bin") };
    await expect(setUp({ env: only, basePython: undefined })).rejects.toThrow(
      "There is no Python 3.8 or newer on PATH to make the environment of. Install Python, or uv, which brings its own.",
    );
    await expect(setUp({ basePython: "/no/such/python" })).rejects.toThrow(
      expect.objectContaining({
        code: "no-python",
        message: expect.stringContaining("/no/such/python does not start"),
      }),
    );
  });

  test("a folder that cannot be written is an error that names it", async () => {
    writeFileSync(join(home, "a-file"), "");
    const failure = await setUp({ home: join(home, "a-file") }).catch((error) => error);
    expect(failure).toMatchObject({ code: "not-writable" });
    expect(failure.message).toContain("GRANARY_HOME");
  });
});

function script(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, ["#!/bin/sh", ...lines, ""].join("\n"));
  chmodSync(path, 0o755);
}

function lockFiles(): string[] {
  return readdirSync(home).filter((name) => name.includes("lock"));
}
