import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../../src/kernel/gateway/rest/rest.ts";
import { sharedGateways, stopSharedGateways } from "../../src/kernel/gateway/shared/shared-gateway.ts";
import type { Kernel } from "../../src/kernel/kernel.ts";
import { readContent } from "../../src/kernel/large-content.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import type { Session } from "../../src/session/session.ts";
import type { SettingsOverrides } from "../../src/settings/settings.ts";
import { deferred } from "../../src/support/deferred.ts";
import { firstFew, ipykernelBackends, isLong } from "../environment/variants.ts";
import { describeWithJupyter } from "../kernel/gateway/jupyter-python.ts";
import { JupyterServer } from "../kernel/gateway/jupyter-server.ts";
import { CuttableProxy } from "../kernel/gateway/websocket/cuttable-proxy.ts";
import { isRunning } from "../kernel/processes.ts";
import { py } from "../kernel/py.ts";
import { until } from "../kernel/until.ts";
import { environmentIn, runtimeIn, temporaryFolder } from "./runtimes.ts";

const folder = temporaryFolder();
const home = environmentIn(folder).GRANARY_HOME as string;
afterAll(() => stopSharedGateways(home));

const stubborn = py`
  import time
  print("begins", flush=True)
  while True:
      try:
          time.sleep(60)
      except KeyboardInterrupt:
          pass
`;

const tenMegabytes = py`
  for _ in range(10_000):
      print("x" * 999)
`;

describeWithJupyter("a session on Jupyter kernels", (python) => {
  const open = (choices: SettingsOverrides["python"]): Promise<Runtime> =>
    runtimeIn(folder, { interpreter: python, crashRetry: "never", startSeconds: 60, ...choices });

  describe.each(ipykernelBackends)("of the backend %s", (backend) => {
    test("has the prelude and the folder, without a trace in what is counted, and no checkpoints; 10 MB printed arrive whole", async () => {
      await using granary = await open({ backend, checkpoints: "always" });
      const session = granary.session("whole");
      const first = await session.run("import os; print(os.getcwd()); read_file.__module__").result;
      expect(first).toMatchObject({ status: "ok", executionCount: 1, output: `${folder}\n'granary_prelude'\n` });
      const { status, truncation, ledger } = await session.run(tenMegabytes).result;
      expect({ status, bytes: truncation?.totalBytes }).toEqual({ status: "ok", bytes: 10_000_000 });
      expect(ledger.noCheckpoint).toBe("a Jupyter kernel cannot be copied");
      expect((await session.restore().result).failure?.message).toBe(
        "Cell 2 cannot be undone: there is no checkpoint of an earlier state. The last cell has none: a Jupyter kernel cannot be copied.",
      );
      await expect(session.fork("branch")).rejects.toMatchObject({ code: "no-checkpoint" });
    });

    test("shows figures without plt.show(), also where the host has chosen a backend of matplotlib's", async () => {
      const env = { ...environmentIn(folder), MPLBACKEND: "TkAgg" };
      const choices = { backend, interpreter: python, startSeconds: 60 };
      await using granary = await runtimeIn(folder, choices, { env });
      const session = granary.session("figures");
      const cell = "import matplotlib.pyplot as plt; plt.plot([1, 2]);";
      for (const code of [cell, `${cell} plt.show()`]) {
        const { status, displays } = await session.run(code).result;
        const figures = displays.filter(({ parts }) => parts.some(({ type }) => type === "image")).length;
        expect({ status, figures }).toEqual({ status: "ok", figures: 1 });
      }
    });
  });

  const reportsTheDeathOfItsKernel = async (session: Session): Promise<void> => {
    const killed = session.run("import os, signal; print('begins', flush=True); os.kill(os.getpid(), signal.SIGKILL)");
    const { status, failure, ledger } = await killed.result;
    expect({ status, code: failure?.code, state: ledger.state }).toEqual({
      status: "failed",
      code: "kernel-died",
      state: "lost",
    });
    const next = await session.run("6 * 7").result;
    expect(next).toMatchObject({ status: "ok", output: "42\n", ledger: { generation: 2, state: "restarted" } });
  };

  test("of the backend zmq reports that its kernel was killed in the middle of a cell, and the next cell has another", async () => {
    await using granary = await open({ backend: "zmq" });
    await reportsTheDeathOfItsKernel(granary.session("killed"));
  });

  test("of the backend gateway reports that its kernel, and then its gateway, was killed in the middle of a cell; the next cell gets another one", async () => {
    await using granary = await open({ backend: "gateway" });
    const session = granary.session("gateway-killed");
    await reportsTheDeathOfItsKernel(session);
    await session.run("x = 1").result;
    const [gateway] = await sharedGateways(home);
    const { pid = 0 } = gateway ?? {};
    const running = session.run("import time; print('begins', flush=True); time.sleep(60)", {
      onEvent: (event) => {
        if (event.type === "stream") process.kill(pid, "SIGKILL");
      },
    });
    const { status, failure, ledger } = await running.result;
    expect({ status, state: ledger.state }).toEqual({ status: "failed", state: "lost" });
    expect(failure?.message).toContain("The Jupyter gateway that ran the kernel has ended");
    const next = await session.run("globals().get('x', 'gone')").result;
    expect(next).toMatchObject({ status: "ok", output: "'gone'\n", ledger: { state: "restarted" } });
    expect((await sharedGateways(home)).map((one) => one.pid)).not.toContain(pid);
  });

  test("resumes in a later runtime if kernels are kept, unless a fresh start or a reset is requested", async () => {
    const count = "n = globals().get('n', 0) + 1; n";
    const countIn = async (kernels: "reuse" | "fresh", id = "kept"): Promise<string> => {
      const choices = { backend: "gateway", interpreter: python, startSeconds: 60 } as const;
      await using granary = await runtimeIn(folder, choices, { kernels });
      return (await granary.session(id).run(count).result).output;
    };
    expect(await countIn("reuse")).toBe("1\n");
    expect(await countIn("reuse")).toBe("2\n");
    expect(await countIn("reuse", "another")).toBe("1\n");
    expect(await countIn("fresh")).toBe("1\n");
    expect(await countIn("reuse")).toBe("2\n");
    const choices = { backend: "gateway", interpreter: python, startSeconds: 60 } as const;
    await using granary = await runtimeIn(folder, choices, { kernels: "reuse" });
    const session = granary.session("kept");
    await session.run("x = 1").result;
    const { output, ledger } = await session.run("globals().get('x', 'gone')", { reset: true }).result;
    expect({ output, state: ledger.state }).toEqual({ output: "'gone'\n", state: "restarted" });
  });

  test("that resumes has the newly requested variables, and keeps the earlier ones", async () => {
    const look = async (extraEnv: Record<string, string>): Promise<string> => {
      const choices = { backend: "gateway", interpreter: python, startSeconds: 60 } as const;
      await using granary = await runtimeIn(folder, choices, { kernels: "reuse", extraEnv });
      const names = "['ONE', 'TWO', 'PI_PYTHON_GATEWAY_TOKEN']";
      return (await granary.session("variables").run(`import os; [os.environ.get(name) for name in ${names}]`).result)
        .output;
    };
    expect(await look({ ONE: "1" })).toBe("['1', None, None]\n");
    expect(await look({ TWO: "ü'2", PI_PYTHON_GATEWAY_TOKEN: "secret" })).toBe(`['1', "ü'2", None]\n`);
    expect(await look({ ONE: "one" })).toBe(`['one', "ü'2", None]\n`);
  });

  test("whose kernel another client ends, such as by a reset, gets an error in the middle of its cell", async () => {
    const choices = { backend: "gateway", interpreter: python, startSeconds: 60, crashRetry: "never" } as const;
    await using first = await runtimeIn(folder, choices, { kernels: "reuse" });
    await using second = await runtimeIn(folder, choices, { kernels: "fresh" });
    const begun = deferred<void>();
    const running = first.session("shared").run(stubborn, {
      onEvent: (event) => {
        if (event.type === "stream") begun.resolve();
      },
    });
    await begun.promise;
    expect((await second.session("shared").run("6 * 7").result).output).toBe("42\n");
    const { status, failure } = await running.result;
    expect({ status, code: failure?.code }).toEqual({ status: "failed", code: "kernel-died" });
    expect(failure?.message).toContain("Another client has ended the kernel");
  });

  test("that shares its kernel waits for the other's cell: its timeout counts from its turn, and no cell is stopped; both get large values whole", async () => {
    const choices = { backend: "gateway", interpreter: python, startSeconds: 60, interruptGraceSeconds: 0.1 } as const;
    await using first = await runtimeIn(folder, choices, { kernels: "reuse" });
    await using second = await runtimeIn(folder, choices, { kernels: "reuse" });
    const [one, other] = [first.session("turns"), second.session("turns")];
    await one.run("x = 1").result;
    await other.run("x += 1").result;
    const heard = deferred<void>();
    other.shared.onBackground(() => heard.resolve());
    const long = one.run("import time; print('begins', flush=True); time.sleep(1.5); x += 1; x");
    await heard.promise;
    const cancelled = other.run("x = 'cancelled'");
    const waits = (): boolean => cancelled.poll().some(({ event }) => event.type === "waiting");
    await until("it waits", waits);
    await cancelled.interrupt();
    const waiting = await other.run("x", { timeoutMs: 400 }).result;
    expect(await cancelled.result).toMatchObject({ status: "cancelled", attempts: 0, ledger: { state: "alive" } });
    expect(await long.result).toMatchObject({ status: "ok", output: "begins\n3\n" });
    expect(waiting).toMatchObject({ status: "ok", output: "3\n", ledger: { generation: 1, state: "alive" } });

    // Whichever of them has started the kernel, and also when that one is gone.
    const large = "ok 3000002";
    expect([await largeText(one), await largeText(other), await largeText(one)]).toEqual([large, large, large]);
    await first[Symbol.asyncDispose]();
    expect(await largeText(other)).toBe(large);
  });

  test("that could not be prepared leaves no kernel behind that a later runtime would resume", async () => {
    const project = temporaryFolder();
    const module = join(project, ".granary", "modules", "ready.py");
    mkdirSync(dirname(module), { recursive: true });
    const runOnce = async (source: string) => {
      writeFileSync(module, source);
      const choices = { backend: "gateway", interpreter: python, startSeconds: 60 } as const;
      const env = { ...environmentIn(folder), GRANARY_HOME: home };
      await using granary = await runtimeIn(project, choices, { env, kernels: "reuse" });
      return await granary.session("unready").run("import builtins; builtins.ready").result;
    };
    expect(await runOnce("raise RuntimeError('not yet')")).toMatchObject({ status: "failed" });
    expect(await runOnce("import builtins; builtins.ready = 42")).toMatchObject({ status: "ok", output: "42\n" });
  });
});

describeWithJupyter("a session on an external server", (python) => {
  let server: JupyterServer;
  beforeAll(async () => {
    server = await JupyterServer.start(python, { limits: false });
  });
  afterAll(() => server.close());

  const open = (gatewayUrl: string, more: SettingsOverrides["python"] = {}): Promise<Runtime> => {
    const choices = { gatewayUrl, gatewayToken: server.token, crashRetry: "never", startSeconds: 60, ...more } as const;
    // No Python on PATH: none is needed here.
    return runtimeIn(folder, choices, { env: { HOME: folder, GRANARY_HOME: home, PATH: "/nowhere" } });
  };

  test("needs no Python on this machine, has the prelude, and its environment the conversation and what was asked for", async () => {
    const inherited = { PI_SESSION_FILE: "/conversations/inherited.jsonl" };
    const env = { HOME: folder, GRANARY_HOME: home, PATH: "/nowhere", ...inherited };
    const host = { sessionFile: "/conversations/one.jsonl", artifactsFolder: "/artifacts/one" };
    const choices = { gatewayUrl: server.url, gatewayToken: server.token, startSeconds: 60 };
    await using granary = await runtimeIn(folder, choices, { env, host, extraEnv: { GREETING: "hello" } });
    const session = granary.session("elsewhere");
    const first = await session.run("print(read_file.__module__); 6 * 7").result;
    expect(first).toMatchObject({ status: "ok", executionCount: 1, output: "granary_prelude\n42\n" });
    const names = ["PI_SESSION_FILE", "ARTIFACTS", "PI_ARTIFACTS_DIR", "GREETING", "PI_SHELL_SNAPSHOT"];
    const listed = `import os, json; print(json.dumps([os.environ.get(name) for name in ${JSON.stringify(names)}]))`;
    const variables = JSON.parse((await session.run(listed).result).output);
    expect(variables).toEqual([host.sessionFile, host.artifactsFolder, host.artifactsFolder, "hello", null]);
    if (!isLong) return;
    const { status, truncation } = await session.run(tenMegabytes).result;
    expect({ status, bytes: truncation?.totalBytes }).toEqual({ status: "ok", bytes: 10_000_000 });
  });

  test("is in the folder that was asked for, and a folder that is not there is named as one of that machine", async () => {
    await using granary = await open(server.url);
    const there = await granary.session("there", { cwd: "/usr" }).run("import os; os.getcwd()").result;
    expect(there.output).toBe("'/usr'\n");
    const { failure } = await granary.session("nowhere", { cwd: "/nowhere/at/all" }).run("1").result;
    expect(failure?.message).toContain("Check that the folder exists where Python runs");
  });

  test("finds the conversation that the host itself was given in its environment, if the host names none", async () => {
    const env = {
      HOME: folder,
      GRANARY_HOME: home,
      PATH: "/nowhere",
      PI_SESSION_FILE: "/conversations/inherited.jsonl",
    };
    const choices = { gatewayUrl: server.url, gatewayToken: server.token, startSeconds: 60 };
    await using granary = await runtimeIn(folder, choices, { env });
    const { output } = await granary.session("inherited").run("import os; os.environ.get('PI_SESSION_FILE')").result;
    expect(output).toBe("'/conversations/inherited.jsonl'\n");
  });

  test("continues when its connection is cut in the middle of a cell", async () => {
    const proxy = await CuttableProxy.before(server.url);
    try {
      await using granary = await open(`${proxy.url}/user/ada`);
      const session = granary.session("cut");
      await session.run("x = 1").result;
      const cell = "import time\nfor n in range(20):\n    print(n, flush=True)\n    time.sleep(0.05)";
      let wasCut = false;
      const { status, output } = await session.run(cell, {
        onEvent: (event) => {
          if (event.type === "stream" && !wasCut) proxy.cut();
          wasCut ||= event.type === "stream";
        },
      }).result;
      const numbers = Array.from({ length: 20 }, (_, n) => `${n}\n`).join("");
      const isWhole = output === numbers;
      expect({ status, isTruthful: isWhole || output.includes("some output may be missing") }).toEqual({
        status: "ok",
        isTruthful: true,
      });
      expect((await session.run("x").result).output).toBe("1\n");
    } finally {
      await proxy.close();
    }
  });

  // Without a heartbeat, the stories below notice it as well.
  test.runIf(isLong)("reports that another client deleted its kernel, and the next cell has another", async () => {
    await using granary = await open(server.url, { heartbeatSeconds: 0.1 });
    const session = granary.session("deleted");
    await session.run("x = 1").result;
    const { id } = session.shared.kernel as Kernel;
    await ask(server, { method: "DELETE", path: `api/kernels/${id}` });
    await until("the session notices", () => session.shared.kernel === null);
    const next = await session.run("6 * 7").result;
    expect(next).toMatchObject({ output: "42\n", ledger: { state: "restarted" } });
    expect(next.ledger.reason).toMatch(/^Another client has shut the kernel down/);
  });

  const onTheServer = (method: "POST" | "DELETE", path: string) => ask(server, { method, path: `api/kernels/${path}` });
  const endings = [
    ["restarts", (id: string) => onTheServer("POST", `${id}/restart`), "Another client has restarted the kernel"],
    ["deletes", (id: string) => onTheServer("DELETE", id), "Another client has shut the kernel down"],
    ["kills", (_: string, pid: number) => process.kill(pid, "SIGKILL"), "The kernel died: the gateway"],
  ] as const;
  for (const [verb, act, reason] of firstFew(endings, 1)) {
    test(`whose kernel another client ${verb} during a cell reports that, and the next cell has another`, async () => {
      // Without a heartbeat that could notice it instead.
      await using granary = await open(server.url, { heartbeatSeconds: 3600 });
      const session = granary.session(`another client ${verb}`);
      const pid = Number((await session.run("import os; os.getpid()").result).output);
      const { id } = session.shared.kernel as Kernel;
      const ended = deferred<unknown>();
      const cell = "import time\nprint('begins', flush=True)\ntime.sleep(600)";
      const result = await session.run(cell, {
        onEvent: (event) => {
          if (event.type === "stream") ended.resolve(act(id, pid));
        },
      }).result;
      await ended.promise;
      expect(result).toMatchObject({ status: "failed", error: null, attempts: 1, ledger: { state: "lost" } });
      expect(result.failure).toMatchObject({ code: "kernel-died", message: expect.stringContaining(reason) });
      expect(result.ledger.reason).toContain(reason);
      expect(result.output).not.toContain("KeyboardInterrupt");
      const next = await session.run("6 * 7").result;
      expect(next).toMatchObject({ status: "ok", output: "42\n", attempts: 1, ledger: { state: "restarted" } });
      expect(next.ledger.reason).toContain(reason);
      expect(await kernelsOn(server)).toEqual([session.shared.kernel?.id]);
    });
  }

  for (const [verb, act, reason] of isLong ? endings : endings.slice(1, 2)) {
    test(`whose kernel another client ${verb} between cells reports that with the next cell, which runs once`, async () => {
      await using granary = await open(server.url, { heartbeatSeconds: 3600, crashRetry: "once" });
      const session = granary.session(`another client ${verb} it`);
      const file = join(temporaryFolder(), "runs");
      const pid = Number((await session.run("import os; os.getpid()").result).output);
      await act((session.shared.kernel as Kernel).id, pid);
      await until("the session notices", () => session.shared.kernel === null);
      const next = await session.run(`_ = open(${JSON.stringify(file)}, "a").write("x")`).result;
      expect(next).toMatchObject({ status: "ok", attempts: 1, ledger: { state: "restarted" } });
      expect(next.ledger.reason).toContain(reason);
      expect(readFileSync(file, "utf8")).toBe("x");
    });
  }

  test("keeps a cell whose C code holds the interpreter lock for many heartbeats: it runs once, to its end; a stopped kernel gets its timeout, and the next cell has another", async () => {
    await using granary = await open(server.url, { heartbeatSeconds: 0.1, interruptGraceSeconds: 0.5 });
    const session = granary.session("stopped");
    const file = join(temporaryFolder(), "runs");
    const cell = `import ctypes; open(${JSON.stringify(file)}, "a").write("x"); ctypes.PyDLL(None).usleep(2_000_000); 6 * 7`;
    expect(await session.run(cell).result).toMatchObject({
      status: "ok",
      output: "42\n",
      attempts: 1,
      ledger: { generation: 1, state: "alive" },
    });
    expect(readFileSync(file, "utf8")).toBe("x");
    const pid = Number((await session.run("import os; os.getpid()").result).output);
    process.kill(pid, "SIGSTOP");
    const { status, ledger } = await session.run("6 * 7", { timeoutMs: 500 }).result;
    expect({ status, state: ledger.state, isLeft: isRunning(pid) }).toEqual({
      status: "timeout",
      state: "lost",
      isLeft: false,
    });
    expect(ledger.reason).toContain("The kernel did not begin the cell");
    expect(await session.run("6 * 7").result).toMatchObject({ output: "42\n", ledger: { state: "restarted" } });
  });
});

/** The status of a cell with a value of 3 MB, and how much of the value came. */
async function largeText(session: Session): Promise<string> {
  let whole: string | null = null;
  const { status } = await session.run("'x' * 3_000_000", {
    onEvent: async (event) => {
      if (event.type !== "result") return;
      const large = event.large?.["text/plain"];
      whole = large ? await readContent(large, 1e8) : String(event.data["text/plain"]);
    },
  }).result;
  return `${status} ${String(whole).length}`;
}

async function kernelsOn(server: JupyterServer): Promise<readonly string[]> {
  const { body } = await ask(server, { method: "GET", path: "api/kernels" });
  return (body as readonly { readonly id: string }[]).map(({ id }) => id);
}
