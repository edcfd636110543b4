import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openInBrowser } from "../../src/hosts/cli/page/open-in-browser.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { pathOutside } from "../../src/runtime/sandbox/path-outside.ts";
import { rememberPlaces } from "../../src/support/files/foreign/known-places.ts";
import { newestPython } from "../environment/pythons.ts";
import { granary } from "../hosts/cli/granary.ts";
import { clientOf } from "../hosts/mcp/granary-mcp.ts";
import { until } from "../kernel/until.ts";
import { World } from "./world.ts";

let world: World;
beforeEach(() => {
  world = new World(true);
  execFileSync(newestPython().path, ["-m", "venv", "--without-pip", world.path("project/.venv")]);
});
afterEach(() => world.remove());

function script(name: string, ...lines: readonly string[]): string {
  const path = world.path(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, ["#!/bin/sh", ...lines, ""].join("\n"));
  chmodSync(path, 0o755);
  return path;
}

/** A sandbox of the user's own, which writes down that it was there; `box` of the folder does not. */
const ownBox = () => script("bin/box", `echo "$@" > '${world.path("boxed")}'`, 'exec "$@"');
const boxOfFolder = () => script("project/.venv/bin/box", `echo > '${world.path("escaped")}'`, 'exec "$@"');

const userPath = () => `${world.path("bin")}:/usr/bin:/bin`;
const kernelPath = () => `${world.path("project/.venv/bin")}:${userPath()}`;

async function ran(python: object, code: string, env: object = {}, cwd = "project"): Promise<string> {
  await using runtime = await createRuntime({
    cwd: world.path(cwd),
    env: { PATH: userPath(), HOME: world.path("home"), GRANARY_HOME: world.path("home/granary"), ...env },
    settings: { python },
  });
  const { output, error, failure } = await runtime.session().run(code).result;
  return output + (error?.message ?? "") + (failure?.message ?? "");
}

const showPath = "import os; print(os.environ['PATH'])";

function expectOwnBox(): void {
  expect(existsSync(world.path("boxed"))).toBe(true);
  expect(existsSync(world.path("escaped"))).toBe(false);
}

describe("the folder's environment replaces no program in front of Python, and is first on PATH behind it", () => {
  test("python.launcher by its name", async () => {
    ownBox();
    boxOfFolder();
    expect(await ran({ launcher: ["box"] }, showPath)).toBe(`${kernelPath()}\n`);
    expectOwnBox();
  });

  test("python.launcher by its name, with the environment activated", async () => {
    ownBox();
    boxOfFolder();
    const env = { PATH: kernelPath(), VIRTUAL_ENV: world.path("project/.venv") };
    expect(await ran({ launcher: ["box"] }, showPath, env)).toBe(`${kernelPath()}\n`);
    expectOwnBox();
  });

  test("python.launcher by its name, from a folder below that code made a repository", async () => {
    ownBox();
    boxOfFolder();
    mkdirSync(world.path("project/sub/.git"));
    expect(await ran({ launcher: ["box"] }, "print(42)", { PATH: kernelPath() }, "project/sub")).toBe("42\n");
    expectOwnBox();
  });

  test("python.launcher by its name, with the home folder inside of the repository, as in CI", async () => {
    ownBox();
    boxOfFolder();
    const env = { PATH: kernelPath(), HOME: world.path("project/.home") };
    expect(await ran({ launcher: ["box"] }, "print(42)", env)).toBe("42\n");
    expectOwnBox();
  });

  test("a program that the launcher calls by its name", async () => {
    ownBox();
    boxOfFolder();
    expect(await ran({ launcher: [script("bin/outer", 'exec box "$@"')] }, showPath)).toBe(`${kernelPath()}\n`);
    expectOwnBox();
  });

  test("a program that a wrapper calls by its name", async () => {
    ownBox();
    boxOfFolder();
    const interpreter = script("bin/boxed-python", `exec box '${world.path("project/.venv/bin/python")}' "$@"`);
    const env = { PATH: kernelPath(), VIRTUAL_ENV: world.path("project/.venv") };
    expect(await ran({ interpreter }, showPath)).toBe(`${kernelPath()}\n`);
    expect(await ran({ interpreter }, showPath, env)).toBe(`${kernelPath()}\n`);
    expect(await ran({ interpreter, launcher: ["nice", "-n", "0"] }, showPath)).toBe(`${kernelPath()}\n`);
    const around = { cwd: world.path("project"), env: { ...env, HOME: world.path("home") } };
    for (const args of [["doctor"], ["doctor", "--run"]]) {
      expect((await granary([...args, "--python", interpreter], around)).stdout).toContain(interpreter);
    }
    expect(await ran({ interpreter, backend: "zmq" }, "1")).toContain("ipykernel");
    expectOwnBox();
  });

  test("a launcher with a PATH of its own, as a container has, keeps it behind the environment", async () => {
    const launcher = [script("bin/container", 'PATH=/opt/own/bin:/usr/bin exec "$@"')];
    const expected = `${world.path("project/.venv/bin")}:/opt/own/bin:/usr/bin\n`;
    expect(await ran({ launcher }, showPath)).toBe(expected);
  });
});

describe("a wrapper that calls Python by its name", () => {
  const activated = () => ({ PATH: kernelPath(), VIRTUAL_ENV: world.path("project/.venv") });
  const showPrefix = "import sys; print(sys.prefix)";

  test("starts that of the activated environment, if the wrapper is one of the project", async () => {
    execFileSync("git", ["init", "-q", world.path("project")]);
    const own = script("project/tools/dev-python", 'exec python -B "$@"');
    const linked = script("bin/linked-python");
    rmSync(linked);
    symlinkSync(own, linked);
    for (const interpreter of ["tools/dev-python", own, linked]) {
      expect(await ran({ interpreter }, showPrefix, activated())).toBe(`${world.path("project/.venv")}\n`);
    }
    const below = await granary(["run", "--python", own, "-c", showPrefix], {
      cwd: world.path("project/sub"),
      env: { HOME: world.path("home"), ...activated() },
    });
    expect(below.stdout).toContain(`${world.path("project/.venv")}\n`);
  });

  test("runs nothing outside of a sandbox, if the wrapper is one of the project", async () => {
    const attempt = `{ echo > '${world.path("escaped")}'; } 2> /dev/null`;
    const interpreter = script("project/tools/dev-python", attempt, 'exec python -B "$@"');
    const result = await ran({ interpreter, sandbox: "workspace" }, showPrefix, activated());
    expect(result).toContain(`${world.path("project/.venv")}\n`);
    const around = { cwd: world.path("project"), env: { HOME: world.path("home"), ...activated() } };
    for (const args of [["doctor"], ["doctor", "--run"]]) {
      await granary([...args, "--python", interpreter], {
        ...around,
        env: { ...around.env, GRANARY_PYTHON_SANDBOX: "workspace" },
      });
    }
    await granary(["doctor", "--python", interpreter], around);
    expect(existsSync(world.path("escaped"))).toBe(false);
  });

  test("says which entries of PATH it does not have, if the wrapper is the user's", async () => {
    const left = `Its PATH is without ${world.path("project/.venv/bin")}, so that nothing there takes the place of your programs: `;
    const remedy = "to start a Python from there, name that Python in the wrapper by its path.";
    const interpreter = script("bin/dev-python", 'exec python -B "$@"');
    symlinkSync(newestPython().path, world.path("bin/python"));
    const around = { cwd: world.path("project"), env: { HOME: world.path("home"), ...activated() } };
    const other = await granary(["run", "--python", interpreter, "-c", showPrefix], around);
    expect(other.stdout + other.stderr).toContain(`${interpreter} calls Python by its name. ${left}${remedy}`);
    expect(other.stdout).not.toContain(world.path("project/.venv"));
    const broken = script("bin/broken-python", "exec no-such-python");
    expect(await ran({ interpreter: broken }, "1", activated())).toContain(`${left}${remedy}`);
    const exact = script("bin/exact-python", `exec '${world.path("project/.venv/bin/python")}' "$@"`);
    const same = await granary(["run", "--python", exact, "-c", showPrefix], around);
    expect(same.stdout).toContain(world.path("project/.venv"));
    expect(same.stderr).not.toContain("PATH");
  });

  test("is asked, tried and started without programs that code in an earlier sandbox wrote", async () => {
    ownBox();
    script("other/bin/box", `echo > '${world.path("escaped")}'`, 'exec "$@"');
    rememberPlaces(world.path("home/granary"), [world.path("other")]);
    const interpreter = script("bin/boxed-python", `exec box '${newestPython().path}' "$@"`);
    const env = { PATH: `${world.path("other/bin")}:${userPath()}` };
    expect(await ran({ interpreter }, "print(6 * 7)", env)).toBe("42\n");
    expect(await ran({ interpreter, backend: "zmq" }, "print(6 * 7)", env)).toMatch(/42|ipykernel/);
    const around = {
      cwd: world.path("project"),
      env: { ...env, HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
    };
    for (const args of [["doctor"], ["doctor", "--run"]]) {
      expect((await granary([...args, "--python", interpreter], around)).stdout).toContain(interpreter);
    }
    const server = {
      ...around,
      env: { ...around.env, GRANARY_PYTHON_BACKEND: "zmq" },
      args: ["--python", interpreter],
    };
    await using connected = await clientOf(server, { over: "stdio", revision: "2025-11-25" });
    expect((await connected.client.listTools()).tools.map(({ name }) => name)).toContain("read");
    expectOwnBox();
  });
});

test("a wrapper that the user's settings name is no program of the folder, nor of an earlier sandbox", async () => {
  ownBox();
  script("bin/boxed-python", `exec box '${newestPython().path}' "$@"`);
  const taken = ["project/.venv/bin/boxed-python", "project/boxed-python", "other/bin/boxed-python"];
  for (const name of taken) script(name, `echo > '${world.path("escaped")}'`, `exec '${newestPython().path}' "$@"`);
  const home = world.path("home/granary");
  rememberPlaces(home, [world.path("other")]);
  writeFileSync(world.path("home/granary/settings.json"), '{"python.interpreter": "boxed-python"}');
  const env = { HOME: world.path("home"), GRANARY_HOME: home, PATH: `${world.path("other/bin")}:${kernelPath()}` };
  const around = { cwd: world.path("project"), env };
  for (const options of [[], ["--python", "boxed-python"]]) {
    expect((await granary(["run", ...options, "-c", "print(6 * 7)"], around)).stdout).toBe("42\n");
    expect((await granary(["doctor", ...options], around)).stdout).toContain(world.path("bin/boxed-python"));
  }
  expectOwnBox();
  rmSync(world.path("bin/boxed-python"));
  const { stderr } = await granary(["run", "-c", "1"], around);
  expect(stderr).toContain("There is no boxed-python on PATH outside of the working folder.");
  expectOwnBox();
});

test("libraries and modules of the folder reach Python, and not the program in front of it", async () => {
  const lib = world.path("project/lib");
  mkdirSync(lib);
  const launcher = [script("bin/box", `/usr/bin/env > '${world.path("boxed")}'`, 'exec "$@"')];
  const env = { LD_LIBRARY_PATH: `/opt/lib:${lib}`, PYTHONPATH: lib, LD_PRELOAD: `${lib}/none.so` };
  const code = "import os, sys; print(*map(os.environ.get, ['LD_LIBRARY_PATH', 'PYTHONPATH']))";
  const settings = { launcher, allowEnv: Object.keys(env) };
  // The dynamic loader says that there is no such library.
  expect(await ran(settings, code, env)).toContain(`/opt/lib:${lib} ${lib}\n`);
  const before = readFileSync(world.path("boxed"), "utf8");
  expect(before).toContain("LD_LIBRARY_PATH=/opt/lib\n");
  expect(before).not.toContain(lib);
});

test("an editor and a browser are not looked for in the folder, nor where code in an earlier sandbox could write", async () => {
  const home = world.path("home/granary");
  for (const name of ["other/bin", "home/granary/hub"]) mkdirSync(world.path(name), { recursive: true });
  const env = { HOME: world.path("home"), GRANARY_HOME: home, PATH: `${world.path("other/bin")}:${kernelPath()}:.` };
  const place = { cwd: world.path("project/sub"), env };
  expect(await pathOutside(place)).toBe(`${world.path("other/bin")}:${userPath()}`);
  rememberPlaces(home, [world.path("other")]);
  expect(await pathOutside(place)).toBe(userPath());

  const mark = world.path("opened");
  script("project/.venv/bin/granary-browser", `echo of the folder > '${mark}'`);
  script("bin/granary-browser", `echo of the user > '${mark}.part' && mv '${mark}.part' '${mark}'`);
  expect(await openInBrowser("http://127.0.0.1:1/", { ...place, env: { ...env, BROWSER: "granary-browser" } })).toBe(
    null,
  );
  await until("the browser has started", () => existsSync(mark));
  expect(readFileSync(mark, "utf8")).toBe("of the user\n");
});

describe("refuses, and says what to write instead", () => {
  test.each([
    ["a relative program", "./box", "which is relative: the working folder would choose the program"],
    ["a program of the folder by its name", "box", "which is in no folder of PATH outside of the working folder"],
  ])("%s", async (_, name, why) => {
    boxOfFolder();
    script("project/box", `echo > '${world.path("escaped")}'`);
    const failure = await ran({ launcher: [name] }, "1", { PATH: kernelPath() });
    expect(failure).toBe(
      `python.launcher begins with ${name}, ${why}, so nothing was started. ` +
        "Begin python.launcher with the full path of a program elsewhere, such as /usr/bin/nice.",
    );
    expect(existsSync(world.path("escaped"))).toBe(false);
  });
});
