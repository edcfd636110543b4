import { mkdir } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newestPython, oldestPython } from "../../../environment/pythons.ts";
import { py } from "../../../kernel/py.ts";
import { Machine } from "../../../python/machine.ts";
import { granary, granaryJson } from "../granary.ts";

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.make();
  await mkdir(machine.path("project"));
});
afterEach(() => machine.remove());

function run(args: readonly string[], env: Record<string, string> = {}) {
  return granary(["run", ...args], around(env));
}

function around(env: Record<string, string> = {}) {
  const home = { HOME: machine.folder, GRANARY_HOME: machine.home };
  return { cwd: machine.path("project"), env: { ...home, ...env } };
}

const show = (name: string): readonly string[] => ["-c", `import os; print(os.environ.get("${name}"))`];

/** All environments that code can find: its own, the one at its start, and its children's. */
const dump = py`
  import os, subprocess, sys
  print(dict(os.environ))
  if os.path.exists("/proc/self/environ"):
      print(open("/proc/self/environ").read())
      print(open("/proc/%d/environ" % os.getpid()).read())
  !env
  print(bash("env; set").output)
  print(subprocess.run(["env"], capture_output=True, text=True).stdout)
  print(subprocess.run([sys.executable, "-c", "import os; print(dict(os.environ))"], capture_output=True, text=True).stdout)
`;

describe("a kernel under a parent with many secrets", () => {
  const secret = (name: string): readonly [string, string] => [name, `hush-${name}`];
  const hostile = Object.fromEntries([
    ...[
      "OPENAI_API_KEY ANTHROPIC_API_KEY GEMINI_API_KEY MISTRAL_API_KEY HF_TOKEN HUGGING_FACE_HUB_TOKEN WANDB_API_KEY",
      "AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AZURE_CLIENT_SECRET GOOGLE_APPLICATION_CREDENTIALS",
      "GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN NPM_TOKEN PYPI_TOKEN TWINE_PASSWORD UV_PUBLISH_TOKEN CONDA_TOKEN PIP_PASSWORD",
      "DB_PASSWORD PGPASSWORD MYSQL_PWD REDIS_AUTH DJANGO_SECRET_KEY FLASK_SECRET STRIPE_KEY TWILIO_AUTH SENTRY_DSN",
      "SSH_AUTH_SOCK SLACK_BOT_TOKEN JWT SESSION_COOKIE PI_API_KEY PI_ACCESS_TOKEN XDG_SESSION_SECRET LC_TOKEN",
      "PI_PYTHON_GATEWAY_TOKEN GRANARY_PYTHON_GATEWAY_TOKEN PI_TOOL_BRIDGE_TOKEN SOMETHING_PRIVATE CUDA_LICENSE_KEY",
    ].flatMap((names) => names.split(" ").map(secret)),
    ["DATABASE_URL", "postgres://ada:hush-db@db.example/main"],
    ["PIP_INDEX_URL", "https://ada:hush-pip@index.example/simple"],
    ["UV_DEFAULT_INDEX", "https://index.example/simple?token=hush-uv"],
    ["PI_PROXY_URL", "https://:hush-pi@example/"],
    ["PI_CALLBACK", "https://example/#access_token=hush-callback"],
    ["CONDA_CHANNELS", "https://conda.example/t/hush-conda/channel"],
    ["PIP_FIND_LINKS", "https://account.blob.example/wheels?sv=1&sig=hush-sas"],
    ["UV_INDEX", "https://bucket.example/simple?X-Amz-Signature=hush-aws"],
  ]);

  test("sees none of them: not in its environment, not in /proc, and not in any child", async () => {
    const { stdout, stderr, exitCode } = await run(["-c", dump], hostile);
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
    expect(stdout.match(/hush-\w*/g)).toBeNull();
    // The search did look in every place.
    expect(stdout.split(machine.home).length).toBeGreaterThan(5);
  });

  test("gets the variable that --env names, and no other", async () => {
    const { stdout } = await run(["--env", "OPENAI_API_KEY", "-c", dump], hostile);
    expect(new Set(stdout.match(/hush-\w*/g))).toEqual(new Set(["hush-OPENAI_API_KEY"]));
  });

  test("never gets Granary's own tokens", async () => {
    const { stderr, exitCode } = await run(["--env", "PI_TOOL_BRIDGE_TOKEN", "-c", "1"], hostile);
    expect(stderr).toBe("granary: --env PI_TOOL_BRIDGE_TOKEN: Granary never passes that variable to cells.\n");
    expect(exitCode).toBe(2);
    const allow = {
      GRANARY_PYTHON_ALLOW_ENV: "PI_PYTHON_GATEWAY_TOKEN,GRANARY_PYTHON_GATEWAY_TOKEN,PI_TOOL_BRIDGE_TOKEN",
    };
    expect((await run(["-c", dump], { ...hostile, ...allow })).stdout).not.toContain("hush");
  });
});

describe("--env", () => {
  test("gives cells a variable, even an empty one or one with = in it", async () => {
    const code = "import os; print([os.environ[name] for name in 'ABC'])";
    const { stdout } = await run(["--env", "A=1", "--env", "B=", "--env", "C=x=y z", "-c", code]);
    expect(stdout).toBe("['1', '', 'x=y z']\n");
  });

  test.each([
    ["MISSING", "--env MISSING: that variable is not set here. Give it as MISSING=VALUE."],
    ["=value", '--env takes NAME=VALUE or NAME; got "=value".'],
  ])("%s is refused", async (given, answer) => {
    expect(await run(["--env", given, "-c", "1"])).toEqual({ stdout: "", stderr: `granary: ${answer}\n`, exitCode: 2 });
  });
});

describe("--python", () => {
  const which = ["-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])"];

  test("takes precedence over every other Python", async () => {
    await machine.addVenv("project/.venv", newestPython().path);
    const { stdout, stderr } = await run(["--python", oldestPython().path, ...which]);
    expect(stdout).toBe(`${oldestPython().version}\n`);
    expect(stderr).toBe("");
  });

  test("may be relative, and overrides the setting", async () => {
    await machine.addVenv("project/env", oldestPython().path);
    const { stdout } = await run(["--python", "env/bin/python", ...which], { GRANARY_PYTHON_INTERPRETER: "/nowhere" });
    expect(stdout).toBe(`${oldestPython().version}\n`);
  });

  test("that does not exist is reported", async () => {
    const { stderr, exitCode } = await run(["--python", "/nowhere/python", ...which]);
    expect(stderr).toMatch(/^granary: \/nowhere\/python does not exist\. /);
    expect(exitCode).toBe(3);
  });
});

describe("python.allowEnv", () => {
  const secrets = { MY_API_KEY: "allowed", TEAM_NAME: "red" };

  test("by the environment", async () => {
    expect((await run(show("MY_API_KEY"), { ...secrets, GRANARY_PYTHON_ALLOW_ENV: "MY_API_KEY" })).stdout).toBe(
      "allowed\n",
    );
  });

  test("by the user's file", async () => {
    await machine.addFile("granary-home/settings.json", '{ "python.allowEnv": ["MY_API_KEY", "TEAM_*"] }');
    expect((await run([...show("MY_API_KEY"), ...show("TEAM_NAME")], secrets)).stdout).toBe("allowed\nred\n");
  });

  test("by a project's file, except names that look like secrets", async () => {
    await machine.addFile("project/.granary/settings.json", '{ "python.allowEnv": ["MY_API_KEY", "TEAM_NAME"] }');
    expect((await run(["--trust", ...show("MY_API_KEY"), ...show("TEAM_NAME")], secrets)).stdout).toBe("None\nred\n");
  });

  test("not by a project's file in a folder that the user does not trust: a secret need not look like one", async () => {
    const hidden = { STORAGE_CONNECTION: "AccountKey=hush==", HEX: "ghp_hush", BW_SESSION: "hush" };
    const names = JSON.stringify({ "python.allowEnv": Object.keys(hidden) });
    await machine.addFile("project/.granary/settings.json", names);
    const { stdout, stderr } = await run(["-c", dump], hidden);
    expect(stdout).not.toContain("hush");
    expect(stderr).toContain(`${machine.path("project")}: python.allowEnv of .granary/settings.json.`);
  });
});

describe("a project's file that allows secrets", () => {
  const logins = {
    PIP_INDEX_URL: "https://ada:hush-pip@index.example/simple",
    DATABASE_URL: "postgres://ada:hush-db@db.example/main",
    TEAM_URL: "https://team.example/",
  };
  beforeEach(() =>
    machine.addFile(
      "project/.granary/settings.json",
      '{ "python.allowEnv": ["PIP_INDEX_URL", "DATABASE_URL", "TEAM_URL"] }',
    ),
  );

  test("passes no address with a login to Python or any child", async () => {
    const { stdout, exitCode } = await run(["--trust", "-c", dump], logins);
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain("hush");
    expect(stdout).toContain("https://team.example/");
  });

  test("does not keep the user from allowing them", async () => {
    const allow = { GRANARY_PYTHON_ALLOW_ENV: "PIP_INDEX_URL" };
    expect((await run(show("PIP_INDEX_URL"), { ...logins, ...allow })).stdout).toBe(`${logins.PIP_INDEX_URL}\n`);
    expect((await run(["--env", "DATABASE_URL", ...show("DATABASE_URL")], logins)).stdout).toBe(
      `${logins.DATABASE_URL}\n`,
    );
  });
});

describe("a broken environment", () => {
  test("is reported once, and the next Python is used", async () => {
    await machine.addVenv("project/.venv", "/opt/uninstalled/bin/python3");
    const { stdout, stderr, exitCode } = await run(["-c", "1", "-c", "2"]);
    expect(stdout).toBe("1\n2\n");
    expect(stderr).toMatch(
      /^granary: skipped \S+\/project\/\.venv\/bin\/python, which links to a file that does not exist any more; using \S+\.\n$/,
    );
    expect(exitCode).toBe(0);
  });

  test("is reported beside the document of --json, not in it", async () => {
    await machine.addVenv("project/.venv", "/opt/uninstalled/bin/python3");
    const { document, stderr } = await granaryJson(["run", "-c", "1"], around());
    expect(document.status).toBe("ok");
    expect(stderr).toContain("granary: skipped ");
  });

  test("on PATH is skipped without a message", async () => {
    await machine.addLink("broken/python3", "/opt/uninstalled/bin/python3");
    await machine.addLink("bin/python3");
    const path = { PATH: `${machine.path("broken")}:${machine.path("bin")}` };
    expect(await run(["-c", "1"], path)).toEqual({ stdout: "1\n", stderr: "", exitCode: 0 });
  });
});

describe("invalid settings", () => {
  test("an unknown PI_PY lists the accepted values, and ends with exit code 2", async () => {
    expect(await run(["-c", "1"], { PI_PY: "perl" })).toEqual({
      stdout: "",
      stderr:
        'granary: PI_PY is "perl", but takes 0 or bash for bash-only, 1 or py for ipy-only, mix or both for both.\n',
      exitCode: 2,
    });
  });

  test("in a file are named with file and key, and --json has them in its document", async () => {
    await machine.addFile("project/.granary/settings.json", '{ "python.maxSesions": 2 }');
    const { document, stderr, exitCode } = await granaryJson(["run", "-c", "1"], around());
    const sentence = `${machine.path("project/.granary/settings.json")}:1:3: There is no setting python.maxSesions. Did you mean python.maxSessions?`;
    expect(document).toMatchObject({ status: "failed", error: { code: "settings", message: sentence }, cells: [] });
    expect(stderr).toBe(`granary: ${sentence}\n`);
    expect(exitCode).toBe(2);
  });

  test("python.sharedGateway=false where the shared gateway would be used", async () => {
    const env = { GRANARY_PYTHON_BACKEND: "gateway", GRANARY_PYTHON_SHARED_GATEWAY: "false" };
    const { stderr, exitCode } = await run(["-c", "1"], env);
    expect(stderr).toBe(
      "granary: Shared Python gateway required; local gateways are disabled. " +
        "Set python.sharedGateway to true, or choose another python.backend.\n",
    );
    expect(exitCode).toBe(3);
    expect((await run(["-c", "1"], { GRANARY_PYTHON_SHARED_GATEWAY: "false" })).exitCode).toBe(0);
  });
});

test("a failing module of the project fails the start, with file and line", async () => {
  const path = await machine.addFile("project/.granary/modules/broken.py", "x = 1\nx.nothing\n");
  const { stdout, stderr, exitCode } = await run(["--trust", "-c", "print('never')"]);
  expect(stdout).toBe("");
  expect(stderr).toContain(`${path}, line 2: AttributeError: 'int' object has no attribute 'nothing'\n`);
  expect(stderr).toContain("python.projectModules: false");
  expect(stderr).not.toMatch(/^ +at /m);
  expect(exitCode).toBe(3);
});

test("a start that times out is ended, and names the setting to raise", async () => {
  await machine.addFile("granary-home/modules/slow.py", "import time; time.sleep(600)");
  const { stderr, exitCode } = await run(["-c", "1"], { GRANARY_PYTHON_START_SECONDS: "1" });
  expect(stderr).toMatch(/^granary: Python was not ready within 1 second .*it was still running \S+slow\.py\./);
  expect(exitCode).toBe(3);
});

test("PI_PYTHON_SKIP_CHECK=1 checks no Python: only the kernel starts", async () => {
  const counted = await machine.countStarts();
  const path = { PATH: `${machine.path("bin")}:/usr/bin:/bin` };
  await machine.addLink("bin/python3");
  await run(["-c", "1"], { ...counted, ...path, PI_PYTHON_SKIP_CHECK: "1" });
  expect(await machine.starts()).toEqual([machine.path("bin/python3")]);
  await run(["-c", "1"], { ...counted, ...path });
  expect((await machine.starts()).length).toBeGreaterThan(2);
});
