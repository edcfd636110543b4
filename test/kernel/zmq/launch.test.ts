import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KernelError } from "../../../src/kernel/errors.ts";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import { attachKernel } from "../../../src/kernel/zmq/attach-kernel.ts";
import { createZmqBackend } from "../../../src/kernel/zmq/zmq-backend.ts";
import { runCell } from "../../../src/session/cell/run-cell.ts";
import { deferred } from "../../../src/support/deferred.ts";
import { environment } from "../../environment/pythons.ts";
import { background, printed, run } from "../collect.ts";
import { isRunning } from "../processes.ts";
import { py } from "../py.ts";
import { plainEnvironment } from "../runner/start-runner.ts";
import { until } from "../until.ts";
import { startZmq } from "./start-zmq.ts";

const found = environment("main");
const plain = environment("plain");
const python = "python" in found ? found.python : "";
const withoutIpykernel = "python" in plain ? plain.python : "";

describe.skipIf(python === "")("a kernel that is launched", () => {
  test("leaves its key and its sockets where only the owner can reach them, and traces every message, but no typed password", async () => {
    const told: string[] = [];
    const kernel = await startZmq(python, {
      trace: (direction, channel, text) => told.push(`${direction} ${channel} ${text}`),
    });
    const file = (await printed(kernel, "import ipykernel; print(ipykernel.get_connection_file())")).trim();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    await run(kernel, "import getpass; n = len(getpass.getpass())", { answer: async () => "hunter2" });
    await kernel.close();
    await until("the folder is gone", () => !readdirSync(tmpdir()).includes(dirname(file).split("/").at(-1) as string));
    const text = told.join("\n");
    expect(text).toMatch(/send shell .*execute_request/);
    expect(text).toMatch(/receive iopub .*execute_input/);
    expect(text).toMatch(/receive stdin .*input_request/);
    expect(text).toMatch(/send stdin .*<masked>/);
    expect(text).not.toContain("hunter2");
  });

  test("that cannot start because of a missing folder says so", async () => {
    const problem = await failure(startZmq(python, { cwd: "/no/such/folder" }));
    expect(problem).toMatchObject({ code: "no-folder" });
    expect(problem.message).toContain("/no/such/folder");
  });

  test("that ends during its start reports its last output", async () => {
    const folder = mkdtempSync(join(tmpdir(), "granary-zmq-test-"));
    writeFileSync(
      join(folder, "sitecustomize.py"),
      "import sys; print('no kernels today', file=sys.stderr); sys.exit(7)",
    );
    const problem = await failure(startZmq(python, { env: { ...plainEnvironment, PYTHONPATH: folder } }));
    expect(problem).toMatchObject({ code: "start-failed" });
    expect(problem.message).toContain("no kernels today");
  });

  test("that does not get ready in time is ended, and the error says so", async () => {
    const folder = mkdtempSync(join(tmpdir(), "granary-zmq-test-"));
    writeFileSync(
      join(folder, "sitecustomize.py"),
      "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(60)",
    );
    const controller = new AbortController();
    const starting = startZmq(python, {
      env: { ...plainEnvironment, PYTHONPATH: folder },
      cwd: folder,
      signal: controller.signal,
    });
    const problem = failure(starting);
    await until("it is starting", () => readdirSync(folder).includes("pid"));
    controller.abort();
    expect(await problem).toMatchObject({ code: "start-timeout" });
    expect(isRunning(Number(readFileSync(join(folder, "pid"), "utf8")))).toBe(false);
  });

  test("is the one that a kernelspec describes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "granary-zmq-test-"));
    const specs = join(folder, "kernels", "special");
    mkdirSync(specs, { recursive: true });
    const argv = ["python3", "-m", "ipykernel_launcher", "-f", "{connection_file}"];
    const spec = {
      argv,
      language: "python",
      display_name: "Special",
      env: { GREETING: "${HOME} sweet" },
      interrupt_mode: "message",
    };
    writeFileSync(join(specs, "kernel.json"), JSON.stringify(spec));
    const env = { ...plainEnvironment, HOME: "/tmp", JUPYTER_PATH: folder };
    const kernel = await createZmqBackend({ kernelspec: "special" }).start({ interpreter: python, cwd: folder, env });
    try {
      expect(await printed(kernel, "import os; print(os.environ['GREETING'])")).toBe("/tmp sweet\n");
      const { outcome } = await run(kernel, "import time; time.sleep(60)", {
        onEvent: (event) => event.type === "started" && void kernel.interrupt(),
      });
      expect(outcome).toBe("interrupted");
    } finally {
      await kernel.close();
    }
    const missing = createZmqBackend({ kernelspec: "speciall" }).start({ interpreter: python, cwd: folder, env });
    expect((await failure(missing)).message).toContain("special");
  });

  test.each<[what: string, kernelspec: readonly string[] | null]>([
    ["ipykernel", null],
    ["a kernelspec of ipykernel's", ["python3", "-m", "ipykernel_launcher", "-f", "{connection_file}"]],
  ])("does not write into the history of the user's own IPython: %s", async (_what, argv) => {
    const folder = mkdtempSync(join(tmpdir(), "granary-zmq-test-"));
    const specs = join(folder, "kernels", "special");
    mkdirSync(specs, { recursive: true });
    writeFileSync(join(specs, "kernel.json"), JSON.stringify({ argv: argv ?? [], language: "python" }));
    const env = { ...plainEnvironment, HOME: folder, IPYTHONDIR: join(folder, "ipython"), JUPYTER_PATH: folder };
    const backend = createZmqBackend(argv === null ? {} : { kernelspec: "special" });
    const kernel = await backend.start({ interpreter: python, cwd: folder, env });
    await run(kernel, "secret = 1");
    // Its own session's history is there.
    expect(await printed(kernel, "%history")).toContain("secret = 1");
    await kernel.close();
    const written = readdirSync(folder, { recursive: true, encoding: "utf8" });
    expect(written.filter((name) => name.includes("history"))).toEqual([]);
  });

  test("keeps the history file that its kernelspec chooses", async () => {
    const folder = mkdtempSync(join(tmpdir(), "granary-zmq-test-"));
    const specs = join(folder, "kernels", "special");
    mkdirSync(specs, { recursive: true });
    const chosen = `--HistoryManager.hist_file=${join(folder, "mine.sqlite")}`;
    const argv = ["python3", "-m", "ipykernel_launcher", "-f", "{connection_file}", chosen];
    writeFileSync(join(specs, "kernel.json"), JSON.stringify({ argv, language: "python" }));
    const env = { ...plainEnvironment, HOME: folder, JUPYTER_PATH: folder };
    await using _kernel = await createZmqBackend({ kernelspec: "special" }).start({
      interpreter: python,
      cwd: folder,
      env,
    });
    expect(readdirSync(folder)).toContain("mine.sqlite");
  });

  test("does not miss an interrupt just before it sleeps", async () => {
    const kernel = await startZmq(python);
    try {
      for (let round = 0; round < 12; round++) {
        const { outcome } = await run(kernel, "import time; time.sleep(60)", {
          onEvent: (event) => event.type === "started" && void kernel.interrupt(),
        });
        expect(outcome).toBe("interrupted");
      }
    } finally {
      await kernel.close();
    }
  });

  test("works over TCP if it does not support sockets in files", async () => {
    const folder = mkdtempSync(join(tmpdir(), "granary-zmq-test-"));
    const specs = join(folder, "kernels", "other");
    mkdirSync(specs, { recursive: true });
    const argv = [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"];
    writeFileSync(join(specs, "kernel.json"), JSON.stringify({ argv, language: "other", display_name: "Other" }));
    const env = { ...plainEnvironment, JUPYTER_PATH: folder };
    const kernel = await createZmqBackend({ kernelspec: "other" }).start({ interpreter: python, cwd: folder, env });
    try {
      const cell = "import ipykernel; print(ipykernel.get_connection_info(unpack=True)['transport'])";
      expect(await printed(kernel, cell)).toBe("tcp\n");
      await kernel.ping();
    } finally {
      await kernel.close();
    }
  });
});

describe.skipIf(python === "")("whether kernels can be launched", () => {
  test("is reported, with the command that fixes a missing package", async () => {
    const backend = createZmqBackend();
    expect(await backend.probe({ interpreter: python, env: plainEnvironment })).toEqual({ available: true });
    if (withoutIpykernel === "") return;
    const answer = await backend.probe({ interpreter: withoutIpykernel, env: plainEnvironment });
    expect(answer).toMatchObject({ available: false, reason: expect.stringContaining("ipykernel") });
    expect(answer).toMatchObject({ remedy: expect.stringContaining("-m pip install ipykernel") });
    const problem = await failure(startZmq(withoutIpykernel));
    expect(problem).toMatchObject({
      code: "start-failed",
      message: expect.stringContaining("-m pip install ipykernel"),
    });
  });

  test("is also reported about a kernelspec", async () => {
    const answer = await createZmqBackend({ kernelspec: "nonesuch" }).probe({
      interpreter: python,
      env: plainEnvironment,
    });
    expect(answer).toMatchObject({ available: false, reason: expect.stringContaining("nonesuch") });
  });
});

describe.skipIf(python === "")("another client's kernel", () => {
  let owner: Kernel;
  let connectionFile: string;
  beforeAll(async () => {
    owner = await startZmq(python);
    connectionFile = (await printed(owner, "import ipykernel; print(ipykernel.get_connection_file())")).trim();
  });
  afterAll(() => owner.close());

  test("can be attached to: cells run in it, its output arrives, and it continues after we leave", async () => {
    await run(owner, "shared = 'mine'");
    const guest = await attachKernel({ connectionFile });
    const heard = background(guest);
    expect(await printed(guest, "print(shared)")).toBe("mine\n");
    await guest.ping();
    await run(owner, "print('said by the owner')");
    await until("the guest has heard it", () => heard.text.includes("said by the owner"));
    const { outcome } = await run(guest, "import time; time.sleep(60)", {
      onEvent: (event) => event.type === "started" && void guest.interrupt(),
    });
    expect(outcome).toBe("interrupted");
    await guest.close();
    expect(await guest.exited).toMatchObject({ expected: true });
    expect(await printed(owner, "print(shared)")).toBe("mine\n");
  });

  test("that runs its owner's cell is waited for: a guest's timeout counts from its turn, and it can leave the line", async () => {
    const folder = mkdtempSync(join(tmpdir(), "granary-zmq-test-"));
    const go = join(folder, "go");
    const guest = await attachKernel({ connectionFile, interruptGraceMs: 50 });
    const heard = background(guest);
    const code = py`
      import os, time
      print("begins", flush=True)
      while not os.path.exists(${JSON.stringify(go)}): time.sleep(0.01)
      x = "the owner's"
    `;
    const owners = run(owner, code);
    await until("the guest has heard it", () => heard.text.includes("begins"));
    const leaves = new AbortController();
    const turns: boolean[] = [];
    const options = { signal: leaves.signal, onTurn: (isOurs: boolean) => void turns.push(isOurs) };
    const left = run(guest, "x = 'left over'", options);
    leaves.abort();
    expect((await left).events).toEqual([{ type: "done", outcome: "interrupted", executionCount: null }]);
    const signal = new AbortController().signal;
    const waits = deferred<void>();
    const onTurn = (isOurs: boolean): void => {
      turns.push(isOurs);
      if (!isOurs) waits.resolve();
    };
    const waiting = runCell(guest, "x", { signal, time: { leftMs: 300 }, onTurn, onEvent: () => {} });
    await waits.promise;
    // Longer than the guest's own time.
    await sleep(600);
    writeFileSync(go, "");
    expect(await waiting).toMatchObject({ status: "ok", error: null });
    expect((await owners).outcome).toBe("ok");
    expect(await printed(guest, "print(x)")).toBe("the owner's\n");
    expect(turns).toEqual([false, false, true]);
    await guest.close();
  });

  test("that is stopped is found by its echo, and one whose C code holds the interpreter lock is not", async () => {
    const pid = owner.info.pid as number;
    try {
      const guest = await attachKernel({ connectionFile });
      const heard = background(guest);
      const cell = run(owner, "import ctypes; print('begins', flush=True); ctypes.PyDLL(None).usleep(1_500_000)");
      await until("the lock is about to be held", () => heard.text.includes("begins"));
      expect(await guest.findTrouble(AbortSignal.timeout(1000))).toBe(null);
      expect((await cell).outcome).toBe("ok");
      process.kill(pid, "SIGSTOP");
      const asked = async () => await guest.findTrouble(AbortSignal.timeout(500));
      await until("its echo is missed", async () => (await asked()) !== null);
      expect(await asked()).toEqual({ reason: "The kernel no longer answers its heartbeat.", mayPass: false });
      expect(await owner.findTrouble()).toMatchObject({ mayPass: true, reason: expect.stringContaining(`${pid}`) });
      await guest.close();
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });

  test("that is busy can be waited for as long as the caller likes, and is then reported as busy", async () => {
    const cell = run(owner, "import time; time.sleep(12)");
    const { code, message } = await failure(attachKernel({ connectionFile, signal: AbortSignal.timeout(1000) }));
    expect({ code, message }).toMatchObject({ code: "start-timeout", message: expect.stringContaining("busy") });
    const guest = await attachKernel({ connectionFile });
    expect((await cell).outcome).toBe("ok");
    await guest.close();
  });

  test("that is gone is named, and so is an invalid file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "granary-zmq-test-"));
    const file = join(folder, "kernel.json");
    expect((await failure(attachKernel({ connectionFile: file }))).message).toContain("cannot be read");
    writeFileSync(file, "{");
    expect((await failure(attachKernel({ connectionFile: file }))).message).toContain("is no JSON");
    writeFileSync(file, JSON.stringify({ shell_port: 1 }));
    expect((await failure(attachKernel({ connectionFile: file }))).message).toContain("has no iopub_port");
  });
});

async function failure(promise: Promise<unknown>): Promise<KernelError> {
  const error = await promise.then(
    () => new Error("It succeeded."),
    (reason: unknown) => reason,
  );
  if (!(error instanceof KernelError)) throw error;
  return error;
}
