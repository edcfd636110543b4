import { execSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Diagnosis } from "../../../src/hosts/cli/doctor/diagnosis.ts";
import { PreloadMemory } from "../../../src/runtime/warm/preload-memory.ts";
import { trustFolder } from "../../../src/settings/trust/change-trust.ts";
import { environment, newestPython, oldestPython } from "../../environment/pythons.ts";
import { until } from "../../kernel/until.ts";
import { Machine } from "../../python/machine.ts";
import { granary, RunningGranary } from "./granary.ts";
import { granaryInTerminal } from "./terminal.ts";

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.make();
  await mkdir(machine.path("project"));
});
afterEach(() => machine.remove());

interface Examination {
  readonly text: string;
  readonly exitCode: number | null;
}

/** The text as on a machine at `/m`, where the newest Python is 3.99.0. */
async function doctor(env: Record<string, string> = {}, ...args: readonly string[]): Promise<Examination> {
  const { stdout, stderr, exitCode } = await granary(["doctor", ...args], around(env));
  expect(stderr).toBe("");
  const text = stdout.replaceAll(machine.folder, "/m").replaceAll(newestPython().version, "3.99.0");
  return { text, exitCode };
}

function around(env: Record<string, string> = {}) {
  const ownPath = { HOME: machine.folder, GRANARY_HOME: machine.home, PATH: machine.path("bin") };
  // The doctor starts no hub, so that variable of the tests must not be in its report.
  const unset = { GRANARY_HUB: undefined } as unknown as Record<string, string>;
  return { cwd: machine.path("project"), env: { ...ownPath, ...unset, ...env } };
}

/** The text below a heading on one line: line breaks depend on the length of paths on this machine. */
function section(title: string, { text }: Examination): string {
  const [, below = ""] = text.split(new RegExp(`^${title}$`, "m"));
  return below.split(/^\S/m, 1).join("").replaceAll(/\s+/g, " ").trim();
}

describe("doctor reports whether kernels of long-lived hosts are forked", () => {
  test("with the modules that are imported ahead, and those that are not", async () => {
    await machine.addLink("bin/python3");
    const env = { GRANARY_PYTHON_WARM: "1", GRANARY_PYTHON_PRELOAD: "decimal,nowhere" };
    const { text } = await doctor(env, "--run");
    expect(text).toContain("  warm start           works; imported ahead: decimal\n");
    const json = JSON.parse((await doctor(env, "--run", "--json")).text) as Diagnosis;
    expect(json.warm).toEqual({ isWarm: true, preloaded: ["decimal"], dropped: [] });
  });

  test("with the used modules that only the setting can have imported ahead", async () => {
    await machine.addLink("bin/python3");
    new PreloadMemory(machine.home, machine.path("project")).learn(["faker", "rich.table"]);
    const report = section("Granary", await doctor({ GRANARY_PYTHON_WARM: "1" }, "--run"));
    expect(report).toContain(
      "works; nothing imported ahead not faker, rich.table: imported ahead only if python.preload lists it ",
    );
  });

  test("with the reason where they are not", async () => {
    await machine.addLink("bin/python3");
    expect((await doctor({ GRANARY_PYTHON_WARM: "0" })).text).toContain(
      "  warm start           off: python.warm is off\n",
    );
  });
});

describe("a healthy machine", () => {
  test("reports no problems first, then what is used and why", async () => {
    await machine.addLink("bin/python3");
    const { text, exitCode } = await doctor();
    expect(text).toBe(`Python cells can run.

Python
  /m/bin/python3 (Python 3.99.0)
  It is the first on PATH that works.

${text.slice(text.indexOf("Backends"), text.indexOf("Environment"))}Environment
  Cells see every variable that is set here.

Settings
  All ${text.match(/All (\d+)/)?.[1]} have their defaults; --json lists them.

Granary
  working folder       /m/project
  Granary's folder     /m/granary-home
  managed environment  none; only Jupyter kernels need it: granary setup
${text.slice(text.indexOf("  warm start"), text.indexOf("  gateway "))}  gateway              none
  hub                  none; the first client that needs it starts it
${text.slice(text.indexOf("  sandbox"), text.indexOf("  terminal "))}  terminal             none: this goes to a file or a program

Verdict: ready on /m/bin/python3.
`);
    expect(text).toContain("  ✓ runner   works; cells run on it\n");
    expect(text).toMatch(
      /\n {2}sandbox {14}off; (--sandbox would use (bubblewrap \(bwrap\)|Landlock with seccomp), because |none works here\. )/,
    );
    const isLinux = process.platform === "linux";
    expect(text).toMatch(
      isLinux
        ? /warm start +off: not tried; granary doctor --run tries it/
        : /warm start +off: it is measured on Linux/,
    );
    expect(exitCode).toBe(0);
  });

  test("is reported as one JSON document for programs", async () => {
    await machine.addLink("bin/python3");
    const { text, exitCode } = await doctor({}, "--json");
    const diagnosis = JSON.parse(text) as Diagnosis;
    expect(diagnosis).toMatchObject({
      ok: true,
      problems: [],
      cwd: "/m/project",
      python: { chosen: { executable: "/m/bin/python3", source: "PATH", facts: { version: "3.99.0" } } },
      home: { path: "/m/granary-home", problem: null },
      managedEnvironment: { state: "missing" },
      terminal: { isTerminal: false },
    });
    expect(diagnosis.backends).toContainEqual({ name: "runner", isChosen: true, availability: { available: true } });
    expect(diagnosis.settings).toContainEqual({ name: "python.startSeconds", value: 30, origin: "default" });
    const { stdout: help } = await granary(["doctor", "--help"]);
    for (const name of Object.keys(diagnosis)) expect(help).toContain(name);
    expect(exitCode).toBe(0);
  });

  test("is shown in colours on a terminal, with what the terminal can do", async () => {
    const { screen, exitCode } = await granaryInTerminal(["doctor"]);
    expect(screen).toContain("\u001b[92mPython cells can run.\u001b[39m");
    expect(screen).toMatch(/terminal +.*colours: 16, pictures: half blocks/);
    expect(exitCode).toBe(0);
  });
});

describe("a broken machine: each problem comes with its fix", () => {
  test("no Python at all", async () => {
    const seen = await doctor({ PATH: "/nowhere" });
    expect(seen.text).toMatch(/^Python cells cannot run\.\n/);
    expect(section("What is wrong", seen)).toBe(
      "✗ No Python was found. Install Python 3.8 or newer. One that is installed but not on PATH can be named with " +
        "the setting python.interpreter, or for one run with --python.",
    );
    expect(section("Python", seen)).toMatch(
      /^None\. Looked at VIRTUAL_ENV, \.venv and venv .*, PATH, and Granary's own environment\.$/,
    );
    expect(section("Backends", seen)).toContain("✗ runner There is no Python to run it.");
    expect(seen.exitCode).toBe(3);
  });

  test("only a Python that is too old", async () => {
    await machine.addLink("bin/python3", (await tooOld()) as string);
    const seen = await doctor();
    expect(section("What is wrong", seen)).toMatch(
      /^✗ The only Python that was found cannot be used: \/m\/bin\/python3 is Python 3\.7\.\d+, and Granary needs 3\.8 or newer\. Install Python 3\.8 or newer\./,
    );
    expect(seen.exitCode).toBe(3);
  });

  test("a .venv whose Python was uninstalled, and a good one on PATH", async () => {
    await machine.addVenv("project/.venv", "/opt/uninstalled/bin/python3.9");
    await machine.addLink("bin/python3");
    const seen = await doctor();
    expect(seen.text).toMatch(/^Python cells can run\.\n/);
    expect(section("What is wrong", seen)).toBe(
      "! /m/project/.venv/bin/python links to a file that does not exist any more. It is skipped. " +
        "Create the environment again, then reinstall its packages: /m/bin/python3 -m venv --clear /m/project/.venv",
    );
    expect(seen.text).toContain("  It is the first on PATH that works. The one before it cannot be used.\n");
    expect(seen.exitCode).toBe(0);
  });

  test("the suggested command fixes a .venv", async () => {
    await machine.addVenv("project/.venv", "/opt/uninstalled/bin/python3.9");
    await machine.addLink("bin/python3");
    const diagnosis = JSON.parse((await doctor({}, "--json")).text) as Diagnosis;
    const command = diagnosis.problems[0]?.command?.replaceAll("/m/", `${machine.folder}/`);
    execSync(`${command} --without-pip`);
    const after = await doctor();
    expect(after.text).not.toContain("What is wrong");
    expect(section("Python", after)).toMatch(/^\/m\/project\/\.venv\/bin\/python /);
    // A Python of the folder is not started only to look at it.
    expect(after.text).toMatch(/Verdict: ready on .*, as far as its files tell; granary doctor --run starts it\.\n$/);
  });

  test("a .venv that is a file: no command is offered, since none would fix it", async () => {
    await machine.addFile("project/.venv", "my-environment\n");
    await machine.addLink("bin/python3");
    const seen = await doctor();
    expect(section("What is wrong", seen)).toBe(
      "! /m/project/.venv/bin/python cannot exist, because /m/project/.venv is a file and not an environment. " +
        "It is skipped. To make an environment there, first remove or rename /m/project/.venv.",
    );
    expect(seen.exitCode).toBe(0);
  });

  test("a .venv that is a link: no command is offered, since venv refuses links", async () => {
    await machine.addLink("project/.venv", machine.path("gone"));
    await machine.addLink("bin/python3");
    expect(section("What is wrong", await doctor())).toBe(
      "! /m/project/.venv/bin/python does not exist. It is skipped. " +
        "To make an environment there, first remove or rename /m/project/.venv.",
    );
  });

  test("a project's file that allows what looks like a secret: cells run without it", async () => {
    await machine.addLink("bin/python3");
    const names = ["SECRET_KEY", "DATABASE_URL", "TEAM_NAME", "UNSET_TOKEN", "PYTHONHOME"];
    await machine.addFile("project/.granary/settings.json", JSON.stringify({ "python.allowEnv": names }));
    await trustFolder(machine.path("project"), machine.home);
    const env = { SECRET_KEY: "hush", DATABASE_URL: "postgres://ada:hush@db/main", TEAM_NAME: "red", PYTHONHOME: "/p" };
    const seen = await doctor(env);
    expect(section("What is wrong", seen)).toBe(
      "! /m/project/.granary/settings.json allows DATABASE_URL, SECRET_KEY, but a project's file lets nothing through " +
        "that looks like a secret, by its name or by a login in its value. Cells do not see it. If you trust this " +
        "folder, allow it yourself: with --env for one run, or with the variable GRANARY_PYTHON_ALLOW_ENV, which " +
        "replaces the project's list.",
    );
    expect(seen.text).not.toContain("hush");
    expect(seen.exitCode).toBe(0);
    const allowedByUser = await doctor({ ...env, GRANARY_PYTHON_ALLOW_ENV: names.join(",") });
    expect(allowedByUser.text).not.toContain("What is wrong");
  });

  test("a VIRTUAL_ENV that names a deleted folder", async () => {
    await machine.addLink("bin/python3");
    const seen = await doctor({ VIRTUAL_ENV: machine.path("gone") });
    expect(section("What is wrong", seen)).toBe(
      "! VIRTUAL_ENV names /m/gone, but /m/gone/bin/python does not exist. It is skipped. " +
        "If that environment is gone for good, forget it in this terminal: unset VIRTUAL_ENV",
    );
    expect(seen.exitCode).toBe(0);
  });

  test("a settings file that is not JSON", async () => {
    await machine.addLink("bin/python3");
    await machine.addFile(
      "granary-home/settings.json",
      '{\n  "python.maxSessions": 2\n  "python.backend": "runner"\n}\n',
    );
    const seen = await doctor();
    expect(seen.text).toMatch(/^Python cells cannot run\.\n/);
    expect(section("What is wrong", seen)).toBe(
      "✗ /m/granary-home/settings.json:3:3: A comma or } is missing here. Nothing runs until that is corrected.",
    );
    expect(section("Settings", seen)).toBe("The settings cannot be read, so this report uses the defaults.");
    expect(seen.text).toContain("/m/bin/python3 (Python 3.99.0)");
    expect(seen.exitCode).toBe(3);
  });

  test("a project's settings file that is broken: nothing of the folder runs, and the user's settings stay", async () => {
    await machine.addLink("bin/python3");
    await machine.addVenv("project/.venv");
    const packages = `project/.venv/lib/python${newestPython().version.replace(/\.\d+$/, "")}/site-packages`;
    await machine.addFile(`${packages}/own.pth`, `import sys; open(${JSON.stringify(machine.path("ran"))}, "w")\n`);
    await machine.addFile("granary-home/settings.json", '{ "python.sandbox": "strict", "output.headBytes": 4000 }');
    for (const broken of ['{ "x": 1 }', '{ "output.budgetBytes": 2000 }']) {
      await machine.addFile("project/.granary/settings.json", broken);
      const seen = await doctor({}, "--run");
      expect(section("What is wrong", seen)).toContain("Nothing runs until that is corrected");
      expect(section("Settings", seen)).toContain('leaves out those of the project. python.sandbox = "strict"');
      expect(seen.exitCode).toBe(3);
      expect(existsSync(machine.path("ran"))).toBe(false);
    }
  });

  test("an unknown value of PI_PY", async () => {
    await machine.addLink("bin/python3");
    const seen = await doctor({ PI_PY: "perl" });
    expect(section("What is wrong", seen)).toBe(
      '✗ PI_PY is "perl", but takes 0 or bash for bash-only, 1 or py for ipy-only, mix or both for both. ' +
        "Nothing runs until that is corrected, or removed: unset PI_PY",
    );
    expect(seen.exitCode).toBe(3);
  });

  test("Pythons that crash, one after the other", async () => {
    await machine.addScript("project/.venv/bin/python", "kill -SEGV $$");
    await machine.addScript("bin/python3", "echo 'ImportError: no encodings' >&2; exit 1");
    const seen = await doctor({}, "--run");
    expect(section("What is wrong", seen)).toMatch(/^✗ None of the 2 Pythons that were found can be used\. /);
    expect(section("Python", seen)).toBe(
      "None. Looked at, in this order: ✗ .venv /m/project/.venv/bin/python crashes with SIGSEGV " +
        "✗ PATH /m/bin/python3 does not start Python (ImportError: no encodings)",
    );
    expect(seen.exitCode).toBe(3);
  });

  test("a Python that crashes, on PATH before one that works", async () => {
    await machine.addScript("broken/python3", "kill -SEGV $$");
    await machine.addLink("bin/python3");
    const seen = await doctor({ PATH: `${machine.path("broken")}:${machine.path("bin")}` });
    expect(section("What is wrong", seen)).toBe(
      "! /m/broken/python3 crashes with SIGSEGV. It comes earlier on PATH, and every start skips it. " +
        "Remove it from PATH, or name the Python to use with the setting python.interpreter.",
    );
    expect(seen.exitCode).toBe(0);
  });

  test("a Python that is named and does not exist", async () => {
    await machine.addLink("bin/python3");
    await machine.addFile("granary-home/settings.json", '{ "python.interpreter": "~/conda/bin/python" }');
    const seen = await doctor();
    expect(section("What is wrong", seen)).toBe(
      "✗ The setting python.interpreter names /m/conda/bin/python, which does not exist. " +
        "Correct it (/m/granary-home/settings.json), or remove it to let Granary look for a Python.",
    );
    expect(section("Settings", seen)).toMatch(
      /^python\.interpreter = ".*" from \/m\/granary-home\/settings\.json The other/,
    );
    expect(seen.exitCode).toBe(3);
  });

  test("a folder of Granary's that cannot be written: cells still run", async () => {
    await machine.addLink("bin/python3");
    await machine.addFile("file");
    const env = { GRANARY_HOME: machine.path("file/granary") };
    const seen = await doctor(env);
    expect(section("What is wrong", seen)).toBe(
      "! Granary's folder /m/file/granary cannot be written: /m/file is not a folder. Cells run, but none in a sandbox, and sessions, pictures " +
        "and long output are not kept. Make it writable, or name another folder with the variable GRANARY_HOME.",
    );
    expect(seen.exitCode).toBe(0);
    expect(seen.text.replaceAll(/\s+/g, " ")).toContain("cannot start: /m/file is not a folder");
    expect(await granary(["run", "-c", "6*7"], around(env))).toEqual({ stdout: "42\n", stderr: "", exitCode: 0 });
  });

  test.skipIf(process.platform !== "linux")("a folder of Granary's in /proc, which root seems to own", async () => {
    await machine.addLink("bin/python3");
    const seen = await doctor({ GRANARY_HOME: "/proc/nope" });
    expect(section("What is wrong", seen)).toMatch(/^! Granary's folder \/proc\/nope cannot be written: \/proc is /);
  });

  test("a module of the project's that fails when a kernel starts", async () => {
    await machine.addLink("bin/python3");
    await machine.addFile("project/.granary/modules/broken.py", "x = 1\nx.nothing\n");
    await granary(["trust", "--yes"], around());
    const seen = await doctor({}, "--run");
    expect(section("What is wrong", seen)).toContain("/m/project/.granary/modules/broken.py, line 2:");
    expect(seen.exitCode).toBe(3);
  });

  test("an environment of Granary's own that is broken", async () => {
    await machine.addLink("bin/python3");
    await machine.addVenv("granary-home/python-env", "/opt/uninstalled/bin/python3.9");
    const seen = await doctor();
    expect(section("What is wrong", seen)).toBe(
      "! Granary's own environment, for Jupyter kernels, is broken. /m/granary-home/python-env/bin/python does not start: " +
        "there is no such program. Repair it: granary setup",
    );
    expect(seen.exitCode).toBe(0);
  });
});

describe("backends", () => {
  const stateOf = (name: string, { text }: Examination) =>
    (JSON.parse(text) as Diagnosis).backends.find((backend) => backend.name === name)?.availability;

  const withJupyter = environment("main");

  test.skipIf("missing" in withJupyter)(
    "zmq is tried with the Python that it would use: Granary's own where the one on PATH has no ipykernel",
    async () => {
      await machine.addLink("bin/python3");
      expect(stateOf("zmq", await doctor({}, "--json"))).toMatchObject({ available: false });
      const alone = await granary(["run", "--backend", "zmq", "-c", "6*7"], around());
      expect(alone).toMatchObject({
        exitCode: 3,
        stderr: expect.stringContaining(
          "-m pip install ipykernel, or let Granary make an environment for Jupyter kernels: granary setup",
        ),
      });
      await machine.addLink("granary-home/python-env", dirname(dirname((withJupyter as { python: string }).python)));
      expect(stateOf("zmq", await doctor({}, "--json"))).toEqual({ available: true });
      expect((await granary(["run", "--backend", "zmq", "-c", "6*7"], around())).stdout).toBe("42\n");
    },
  );

  test("a Python of the folder that was not started has no check mark", async () => {
    await machine.addLink("bin/python3");
    await machine.addFile("project/.venv/pyvenv.cfg", `home = /usr/bin\nversion = ${newestPython().version}\n`);
    await machine.addScript("project/.venv/bin/python", "exit 1");
    const seen = await doctor();
    expect(section("Python", seen)).toContain("? .venv /m/project/.venv/bin/python");
    expect(section("Python", seen)).not.toContain("✓");
    const tried = await doctor({}, "--run");
    expect(section("Python", tried)).toMatch(/✗ \.venv .*✓ PATH/);
  });
});

describe("the report", () => {
  test("fits into 80 columns, but for paths and commands, which can be copied", async () => {
    await machine.addVenv("project/.venv", "/opt/uninstalled/bin/python3.9");
    await machine.addLink("bin/python3");
    const names = Array.from({ length: 40 }, (_, index) => [`SOME_VARIABLE_${index}`, "x"]);
    const { text } = await doctor(Object.fromEntries(names));
    const long = text.split("\n").filter((line) => line.length > 80);
    expect(long.filter((line) => !line.includes("/m/"))).toEqual([]);
    expect(text).toContain("40 variables are withheld from cells:");
  });

  test("shows names of variables, but no secret values", async () => {
    await machine.addLink("bin/python3");
    await machine.addFile("granary-home/settings.json", '{ "python.gatewayToken": "hush-in-file" }');
    const secrets = {
      OPENAI_API_KEY: "hush-openai",
      AWS_SECRET_ACCESS_KEY: "hush-aws",
      DATABASE_URL: "postgres://ada:hush-db@db/main",
      GRANARY_PYTHON_GATEWAY_TOKEN: "hush-granary",
      PI_PYTHON_GATEWAY_TOKEN: "hush-gateway",
      PI_TOOL_BRIDGE_TOKEN: "hush-bridge",
      PIP_INDEX_URL: "https://ada:hush-pip@index.example/simple",
      HTTPS_PROXY: "http://ada:hush-proxy@proxy.example:3128",
    };
    for (const args of [[], ["--json"]]) {
      const { text, exitCode } = await doctor(secrets, ...args);
      expect(text).not.toContain("hush");
      expect(text).toContain("OPENAI_API_KEY");
      expect(text).toContain("python.gatewayToken");
      expect(exitCode).toBe(0);
    }
  });

  test("hides the password of a wrong address", async () => {
    await machine.addLink("bin/python3");
    const { text, exitCode } = await doctor({ PI_PYTHON_GATEWAY_URL: "https://ada:hush@host/?token=hush" });
    expect(text).not.toContain("hush");
    expect(text).toContain("PI_PYTHON_GATEWAY_URL");
    expect(exitCode).toBe(3);
  });
});

test("Ctrl-C ends the doctor and every Python that it started", async () => {
  await machine.addScript("bin/python3", `echo $$ > ${machine.path("asked")}`, "exec sleep 600");
  const path = `${machine.path("bin")}:/usr/bin:/bin`;
  const run = new RunningGranary(["doctor"], around({ PATH: path }));
  await until("a Python is asked", () => existsSync(machine.path("asked")));
  run.process.kill("SIGINT");
  expect(await run.finished).toMatchObject({ stdout: "", exitCode: 130 });
});

test("granary doctor takes no arguments", async () => {
  const { stderr, exitCode } = await granary(["doctor", "python"]);
  expect(stderr).toBe("granary: granary doctor takes no arguments, but got python.\n");
  expect(exitCode).toBe(2);
});

/** A real one if this machine has it, otherwise a script that answers like it. */
async function tooOld(): Promise<string> {
  const versions = join(homedir(), ".pyenv/versions");
  const real = existsSync(versions) ? readdirSync(versions).find((name) => name.startsWith("3.7.")) : undefined;
  if (real !== undefined) return join(versions, real, "bin/python3");
  const pretend = "import sys; sys.version_info = (3, 7, 16, 'final', 0); exec(open(sys.argv[1]).read())";
  return machine.addScript("old/python", `exec ${newestPython().path} -c "${pretend}" "$2"`);
}

describe("--python", () => {
  test("reports on the named Python, by its path or by its name on PATH", async () => {
    await machine.addLink("bin/python3", oldestPython().path);
    await machine.addLink("bin/python3.99");
    const seen = await doctor({}, "--python", "python3.99");
    expect(section("Python", seen)).toBe("/m/bin/python3.99 (Python 3.99.0) It was named.");
    expect(seen.exitCode).toBe(0);
  });

  test("reports problems with that Python", async () => {
    await machine.addLink("bin/python3");
    const seen = await doctor({}, "--python", "./python3.99");
    expect(section("What is wrong", seen)).toBe(
      "✗ --python names /m/project/python3.99, which does not exist. Name another, or leave out --python to let Granary look for one.",
    );
    expect(seen.exitCode).toBe(3);
  });
});
