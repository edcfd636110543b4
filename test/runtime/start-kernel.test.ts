import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Kernel } from "../../src/kernel/kernel.ts";
import { pendingSnapshot } from "../../src/runtime/shell/pending-snapshot.ts";
import { type StartKernelOptions, startKernel } from "../../src/runtime/start-kernel.ts";
import { loadSettings } from "../../src/settings/load-settings.ts";
import { newestPython } from "../environment/pythons.ts";
import { isRunning } from "../kernel/processes.ts";
import { py } from "../kernel/py.ts";
import { until } from "../kernel/until.ts";
import { Machine } from "../python/machine.ts";

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.make();
  await mkdir(machine.path("project"));
});
afterEach(() => machine.remove());

function start(options: StartKernelOptions = {}): Promise<Kernel> {
  const home = { HOME: machine.folder, GRANARY_HOME: machine.home, PATH: "/usr/bin:/bin", SHELL: "/bin/bash" };
  const cwd = machine.path("project");
  return startKernel({ cwd, interpreter: newestPython().path, ...options, env: { ...home, ...options.env } });
}

/** The output of a cell, which must succeed. */
async function printed(kernel: Kernel, code: string): Promise<string> {
  let text = "";
  for await (const event of kernel.execute(code)) {
    if (event.type === "stream") text += event.text;
    if (event.type === "error") throw new Error(event.traceback.join("\n"));
  }
  return text;
}

const everything = py`
  import os, subprocess
  print(dict(os.environ), bash("env; set").output, subprocess.run(["env"], capture_output=True, text=True).stdout)
  if os.path.exists("/proc/self/environ"):
      print(open("/proc/self/environ").read())
`;

describe("a host's options for its kernels", () => {
  const bridge = { url: "http://127.0.0.1:1234", token: "hush-bridge", session: "agent-1" };
  const host = { sessionFile: "/agent/session.jsonl", artifactsFolder: "/agent/artifacts", bridge };

  test("is in their environment, and in that of their children", async () => {
    await using kernel = await start({ host });
    const names = "PI_SESSION_FILE ARTIFACTS PI_ARTIFACTS_DIR PI_TOOL_BRIDGE_URL PI_TOOL_BRIDGE_SESSION";
    const code = `print(bash("echo ${names.replaceAll(/(\w+)/g, "$$$1")}").stdout, end="")`;
    expect(await printed(kernel, code)).toBe(
      "/agent/session.jsonl /agent/artifacts /agent/artifacts http://127.0.0.1:1234 agent-1\n",
    );
  });

  test("but for the bridge's token, which only the prelude has", async () => {
    await using kernel = await start({ host, env: { PI_TOOL_BRIDGE_TOKEN: "hush-parent" } });
    expect(await printed(kernel, everything)).not.toContain("hush");
  });

  test("extra variables cannot carry a host's own tokens", async () => {
    await using kernel = await start({ extraEnv: { PI_TOOL_BRIDGE_TOKEN: "hush", OPENAI_API_KEY: "given" } });
    const text = await printed(kernel, everything);
    expect(text).not.toContain("hush");
    expect(text).toContain("given");
  });
});

describe("settings of the call", () => {
  test("win over variables, and the interpreter of the call over all", async () => {
    await using kernel = await start({
      env: { GRANARY_PYTHON_ALLOW_ENV: "MINE", GRANARY_PYTHON_INTERPRETER: "/nowhere", MINE: "1", YOURS: "2" },
      settings: { python: { allowEnv: ["YOURS"] } },
    });
    expect(await printed(kernel, "import os; print([os.environ.get(n) for n in ('MINE', 'YOURS')])")).toBe(
      "[None, '2']\n",
    );
  });

  test("a start that is cancelled rejects, and leaves no process", async () => {
    const cancel = new AbortController();
    await machine.addFile(
      "granary-home/modules/slow.py",
      `import os, time\nopen(${JSON.stringify(machine.path("pid.part"))}, "w").write(str(os.getpid()))\nos.rename(${JSON.stringify(machine.path("pid.part"))}, ${JSON.stringify(machine.path("pid"))})\ntime.sleep(600)\n`,
    );
    const starting = start({ signal: cancel.signal });
    starting.catch(() => {});
    await until("the module runs", () => existsSync(machine.path("pid")));
    const pid = Number(await readFile(machine.path("pid"), "utf8"));
    cancel.abort();
    await expect(starting).rejects.toThrow();
    expect(isRunning(pid)).toBe(false);
  });
});

describe("the user's shell", () => {
  const snapshots = () => (existsSync(join(machine.home, "shell")) ? readdirSync(join(machine.home, "shell")) : []);
  const aliases = "alias greet='echo hello from an alias'\n";

  test("is captured beside a kernel that lives for a while; bash() then has its aliases", async () => {
    await machine.addFile(".bashrc", aliases);
    await using kernel = await start();
    const path = (await printed(kernel, "import os; print(os.environ['PI_SHELL_SNAPSHOT'])")).trimEnd();
    await until("the snapshot is there", () => existsSync(path));
    expect(await printed(kernel, "print(bash('greet').stdout, end='')")).toBe("hello from an alias\n");
  });

  test("is not started for a kernel that has ended by then", async () => {
    await machine.addFile(".bashrc", `touch ${machine.path("rc-was-read")}\n`);
    const env = { HOME: machine.folder, PATH: "/usr/bin:/bin", SHELL: "/bin/bash" };
    const settings = await loadSettings({ cwd: machine.folder, env, home: machine.home });
    const { path, captureBeside } = pendingSnapshot({ home: machine.home, env, settings });
    captureBeside({ exited: Promise.resolve() as Promise<never> });
    await sleep(500);
    expect(existsSync(machine.path("rc-was-read"))).toBe(false);
    expect(existsSync(path)).toBe(false);
  });

  test("that hangs in its rc files is ended with the kernel", async () => {
    const pidFile = machine.path("shell-pid");
    await machine.addFile(".bashrc", `echo $$ > ${pidFile}.part; mv ${pidFile}.part ${pidFile}; sleep 600\n`);
    const kernel = await start();
    await until("the shell reads its rc file", () => existsSync(pidFile));
    const pid = Number(await readFile(pidFile, "utf8"));
    await kernel.close();
    await until("the shell has gone", () => !isRunning(pid));
    expect(snapshots()).toEqual([]);
  });

  test("is left alone when the host has a snapshot already", async () => {
    const own = await machine.addFile("own-snapshot.sh", "alias greet='echo from the host'\n");
    const code = "import os; print(os.environ.get('PI_SHELL_SNAPSHOT'))";
    await using kernel = await start({ env: { PI_SHELL_SNAPSHOT: own } });
    expect(await printed(kernel, code)).toBe(`${own}\n`);
    await using another = await start({ host: { shellSnapshot: own } });
    expect(await printed(another, code)).toBe(`${own}\n`);
  });

  test("is left alone with PI_PYTHON_SKIP_CHECK", async () => {
    await using kernel = await start({ env: { PI_PYTHON_SKIP_CHECK: "1" } });
    expect(await printed(kernel, "import os; print(os.environ.get('PI_SHELL_SNAPSHOT'))")).toBe("None\n");
  });

  test("does not hand on secrets that its rc files export", async () => {
    await machine.addFile(
      ".bashrc",
      "export OPENAI_API_KEY=hush PIP_INDEX_URL=https://ada:hush@index.example/ EDITOR=vi\n",
    );
    await using kernel = await start({ env: { PIP_INDEX_URL: "https://ada:hush@index.example/" } });
    await until("the snapshot is there", () => snapshots().some((name) => name.startsWith("snapshot-")));
    const text = await printed(kernel, everything);
    expect(text).not.toContain("hush");
  });
});
