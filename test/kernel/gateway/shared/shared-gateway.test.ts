import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { inRepository } from "../../../../scripts/repository.mjs";
import { createGatewayBackend } from "../../../../src/kernel/gateway/gateway-backend.ts";
import { createKernel, endKernel } from "../../../../src/kernel/gateway/rest/create-kernel.ts";
import { ask } from "../../../../src/kernel/gateway/rest/rest.ts";
import { folderFor } from "../../../../src/kernel/gateway/shared/gateway-folder.ts";
import { type GatewayRecord, readRecord } from "../../../../src/kernel/gateway/shared/gateway-record.ts";
import {
  acquireSharedGateway,
  sharedGateways,
  stopSharedGateways,
  stopUnusedGateways,
} from "../../../../src/kernel/gateway/shared/shared-gateway.ts";
import { startGateway } from "../../../../src/kernel/gateway/shared/start-gateway.ts";
import { openSocket } from "../../../../src/kernel/gateway/websocket/open-socket.ts";
import { newestPython } from "../../../environment/pythons.ts";
import { printed } from "../../collect.ts";
import { isRunning } from "../../processes.ts";
import { py } from "../../py.ts";
import { plainEnvironment } from "../../runner/start-runner.ts";
import { until } from "../../until.ts";
import { describeWithJupyter } from "../jupyter-python.ts";
import { GatewayHome } from "../start-gateway-kernel.ts";

const built = inRepository("dist/kernel/gateway");
const user = inRepository("test/kernel/gateway/shared/gateway-user.mjs");

describeWithJupyter("the gateway that is shared on this machine", (python) => {
  // A gateway takes seconds to start, so these tests, in order, share one until a test ends it.
  const home = new GatewayHome();
  afterAll(() => home.close());

  const acquire = (): Promise<GatewayRecord> =>
    acquireSharedGateway({
      home: home.path,
      interpreter: python,
      gatewayInterpreter: python,
      env: plainEnvironment,
      limits: { unusedKernelSeconds: 300, idleSeconds: 300 },
    });
  const userArguments = (...rest: string[]): string[] => [
    user,
    `${built}/gateway-backend.js`,
    `${built}/shared/shared-gateway.js`,
    home.path,
    python,
    JSON.stringify(plainEnvironment),
    ...rest,
  ];
  const asAnotherProcess = async (): Promise<number> => {
    const { stdout } = await promisify(execFile)(process.execPath, userArguments());
    return Number(stdout);
  };

  test("four processes that start at once get one gateway, which outlives them", async () => {
    const pids = await Promise.all(Array.from({ length: 4 }, asAnotherProcess));
    expect(new Set(pids).size).toBe(1);
    const [gateway] = await sharedGateways(home.path);
    expect(gateway).toMatchObject({ pid: pids[0], healthy: true, interpreter: python });
  });

  test("only its owner can read what it leaves on disk, and the token is on no command line", async () => {
    const { token, pid } = await acquire();
    const folder = folderFor(home.path, python, plainEnvironment);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of ["gateway.json", "gateway.log"]) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).not.toContain("gateway.lock");
    if (existsSync("/proc/self/cmdline")) expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain(token);
    expect(JSON.stringify(await sharedGateways(home.path))).not.toContain(token);
  });

  test("clients without the token are refused, and so are web pages from other origins", async () => {
    const { url, token } = await acquire();
    expect((await ask({ url }, { method: "GET", path: "api/kernelspecs" })).status).toBe(401);
    const reply = await fetch(`${url}/api/kernelspecs`, {
      headers: { Authorization: `token ${token}`, Origin: "https://elsewhere.example" },
    });
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("each kernel has the folder and exactly the environment of its caller", async () => {
    const folder = mkdtempSync(join(tmpdir(), "granary-shared-"));
    await using first = await home.start(python, { env: { ...plainEnvironment, MINE: "1", PYTHONHASHSEED: "7" } });
    await using second = await home.start(python, { cwd: folder, env: { ...plainEnvironment, THEIRS: "2" } });
    const look = "import os; print(os.environ.get('MINE'), os.environ.get('THEIRS'), os.environ.get('PYTHONHASHSEED'))";
    expect(await printed(first, look)).toBe("1 None 7\n");
    expect(await printed(second, look)).toBe("None 2 None\n");
    expect(await printed(second, "print(os.getcwd())")).toBe(`${folder}\n`);
    expect(await printed(second, "print([name for name in os.environ if 'TOKEN' in name])")).toBe("[]\n");
    expect((await sharedGateways(home.path)).length).toBe(1);
  });

  test("its kernels do not write into the history of the user's own IPython", async () => {
    const ipython = mkdtempSync(join(tmpdir(), "granary-shared-"));
    const kernel = await home.start(python, { env: { ...plainEnvironment, IPYTHONDIR: ipython } });
    expect(await printed(kernel, "secret = 1\nprint(get_ipython().history_manager.hist_file)")).toBe(":memory:\n");
    await kernel.close();
    const written = readdirSync(ipython, { recursive: true, encoding: "utf8" });
    expect(written.filter((name) => name.includes("history"))).toEqual([]);
  });

  test("a kernel that cannot be created leaves the gateway to its users", async () => {
    await using kernel = await home.start(python);
    const { pid } = (await readRecord(folderFor(home.path, python, plainEnvironment))) as GatewayRecord;
    await expect(home.start(python, {}, { kernel: "no-such-kernel" })).rejects.toMatchObject({ code: "start-failed" });
    await expect(home.start(python, { cwd: "/no/such/folder" })).rejects.toMatchObject({ code: "start-failed" });
    expect(isRunning(pid)).toBe(true);
    expect(await printed(kernel, "print('still here')")).toBe("still here\n");
  });

  test("two concurrent requests for a kernel of one name get the same kernel, which stays after both", async () => {
    const keepAs = { name: "etl", anew: false };
    const start = () => home.start(python, {}, { keepAs });
    const [one, other] = await Promise.all([start(), start()]);
    expect(other.id).toBe(one.id);
    expect([one.info.resumed, other.info.resumed].sort()).toEqual([false, true]);
    await Promise.all([printed(one, "x = 1"), printed(other, "y = 2")]);
    await Promise.all([one.close(), other.close()]);
    expect(isRunning(one.info.pid as number)).toBe(true);
    const later = await start();
    expect(await printed(later, "print(x)")).toBe("1\n");
    await later.close();
    const [gateway] = await sharedGateways(home.path);
    expect(statSync(join(gateway?.folder as string, "sessions.json")).mode & 0o777).toBe(0o600);
    const anew = await home.start(python, {}, { keepAs: { ...keepAs, anew: true } });
    expect(anew.id).not.toBe(one.id);
    await until("the old one has ended", () => !isRunning(one.info.pid as number));
    await anew.close();
  });

  test("a client killed while connecting to a kernel never counts as its user", {
    timeout: 120_000,
  }, async () => {
    const gateway = await acquire();
    const { id, pid } = await createKernel(gateway, { name: "python3", env: {} });
    const path = `api/kernels/${id}`;
    const connections = async (): Promise<unknown> =>
      ((await ask(gateway, { method: "GET", path })).body as { connections: number }).connections;
    process.kill(pid as number, "SIGSTOP"); // so that it does not answer the gateway, and no client gets further
    await expect(
      openSocket({ address: gateway, kernelId: id, session: "killed" }, AbortSignal.timeout(1000)),
    ).rejects.toThrow();
    process.kill(pid as number, "SIGCONT");
    const { socket } = await openSocket({ address: gateway, kernelId: id, session: "next" });
    await until("the next one is counted", async () => (await connections()) === 1);
    // While Jupyter waits for the kernel to wake up, for up to a minute, it ignores the client.
    socket.resume();
    socket.ping();
    await once(socket, "pong");
    socket.terminate();
    await until("no connection is left", async () => (await connections()) === 0);
    await endKernel(gateway, { id });
  });

  test("it does not make room while a client is connected to one of its kernels", async () => {
    const kernel = await home.start(python);
    expect(await stopUnusedGateways(home.path)).toBe(0);
    expect(await printed(kernel, "print('still here')")).toBe("still here\n");
    await kernel.close();
    expect(await stopUnusedGateways(home.path)).toBe(1);
  });

  test("stopping ends it and its kernels", async () => {
    const kernel = await home.start(python);
    const [gateway] = await sharedGateways(home.path);
    expect(await stopSharedGateways(home.path)).toBe(1);
    expect(isRunning(gateway?.pid as number)).toBe(false);
    await until("the kernel has ended", () => !isRunning(kernel.info.pid as number));
    expect(await stopSharedGateways(home.path)).toBe(0);
    expect((await kernel.exited).expected).toBe(false);
  });

  test("a start that takes too long leaves nothing behind", async () => {
    const starting = home.start(python, { signal: AbortSignal.timeout(150) });
    await expect(starting).rejects.toMatchObject({ code: "start-timeout" });
    expect(await sharedGateways(home.path)).toEqual([]);
  });

  test("when its user is killed, the kernel ends although it is busy, and then the gateway ends", async () => {
    const child: ChildProcess = spawn(process.execPath, userArguments("kernel"), {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(child.stdout as NonNullable<typeof child.stdout>, "data");
    const kernel = Number(String(line).trim());
    const [gateway] = await sharedGateways(home.path);
    expect(isRunning(kernel)).toBe(true);
    child.kill("SIGKILL");
    await until("the kernel has ended", () => !isRunning(kernel));
    await until("the gateway has ended", () => !isRunning(gateway?.pid as number));
    expect(await sharedGateways(home.path)).toEqual([]);
  });

  test("a record whose process number now belongs to another program is ignored, and nothing is killed", async () => {
    const bystander = spawn("sleep", ["60"], { detached: true });
    try {
      const real = await acquire();
      const folder = folderFor(home.path, python, plainEnvironment);
      writeFileSync(join(folder, "gateway.json"), JSON.stringify({ ...real, pid: bystander.pid, began: "long ago" }));
      const fresh = await acquire();
      expect(fresh.pid).not.toBe(bystander.pid);
      expect(isRunning(bystander.pid as number)).toBe(true);
      process.kill(real.pid, "SIGKILL"); // its record is gone, so nothing else ends it
    } finally {
      bystander.kill("SIGKILL");
    }
  });

  test("one that was killed is replaced", async () => {
    const first = await acquire();
    process.kill(first.pid, "SIGKILL");
    await until("it has ended", () => !isRunning(first.pid));
    const second = await acquire();
    expect(second.pid).not.toBe(first.pid);
    expect((await acquire()).pid).toBe(second.pid);
  });

  test("a Python that has only ipykernel gets a gateway of its own, run by the managed environment, and kernels on it", async () => {
    const project = environmentWithoutGateway(python);
    await expect(home.start(project)).rejects.toThrow("has no module kernel_gateway. Install it with: ");
    await using ours = await home.start(python);
    await using theirs = await home.start(project, {}, { managedInterpreter: python });
    const prefix = "import sys; print(sys.prefix)";
    expect(await printed(theirs, prefix)).toBe(`${dirname(dirname(project))}\n`);
    expect(await printed(theirs, prefix)).not.toBe(await printed(ours, prefix));
    const interpreters = (await sharedGateways(home.path)).map(({ interpreter }) => interpreter);
    expect(interpreters.sort()).toEqual([project, python].sort());
    expect(await stopSharedGateways(home.path)).toBe(2);
  });
});

/** A virtual environment with the packages of another one, without `kernel_gateway`. */
function environmentWithoutGateway(python: string): string {
  const folder = mkdtempSync(join(tmpdir(), "granary-project-"));
  execFileSync(python, ["-m", "venv", "--without-pip", folder]);
  const where = "import sysconfig; print(sysconfig.get_path('purelib'))";
  const packages = (of: string): string => execFileSync(of, ["-c", where], { encoding: "utf8" }).trim();
  const project = join(folder, "bin/python");
  writeFileSync(join(packages(project), "shared.pth"), packages(python));
  const hide = py`
    import sys
    class Hidden:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name == "kernel_gateway":
                raise ModuleNotFoundError(name)
    sys.meta_path.insert(0, Hidden)
  `;
  writeFileSync(join(packages(project), "sitecustomize.py"), hide);
  return project;
}

describe("without what it needs", () => {
  const env = plainEnvironment;
  const { path: bare } = newestPython();

  test("the missing modules are named, with the command that installs them", async () => {
    const home = mkdtempSync(join(tmpdir(), "granary-gateway-"));
    const backend = createGatewayBackend({ home });
    const availability = await backend.probe({ interpreter: bare, env });
    expect(availability).toMatchObject({
      available: false,
      reason: expect.stringMatching(/has no module kernel_gateway and no module ipykernel\.$/),
      remedy: expect.stringMatching(/-m pip install jupyter_kernel_gateway ipykernel$/),
    });
    await expect(backend.start({ interpreter: bare, cwd: "/", env })).rejects.toThrow("-m pip install");
    expect(readdirSync(home)).toEqual([]);
    rmSync(home, { recursive: true });
  });

  test("a gateway starts without the grammar that jsonschema would build for it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "granary-gateway-"));
    writeFileSync(join(folder, "rfc3987_syntax.py"), "");
    mkdirSync(join(folder, "kernel_gateway"));
    writeFileSync(join(folder, "kernel_gateway/__main__.py"), "import rfc3987_syntax");
    const limits = { unusedKernelSeconds: 300, idleSeconds: 300 };
    const starting = startGateway({ folder, interpreter: bare, gatewayInterpreter: bare, env, limits });
    await expect(starting).rejects.toThrow("import of rfc3987_syntax halted; None in sys.modules");
  });

  test("python.sharedGateway=false is refused with the documented sentence", async () => {
    const backend = createGatewayBackend({ home: "/nowhere", sharedGateway: false });
    const refusal = "Shared Python gateway required; local gateways are disabled.";
    await expect(backend.start({ interpreter: bare, cwd: "/", env })).rejects.toThrow(refusal);
    expect(await backend.probe({ interpreter: bare, env })).toMatchObject({ available: false, reason: refusal });
  });
});
