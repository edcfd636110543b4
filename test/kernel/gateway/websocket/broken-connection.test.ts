import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createGatewayBackend } from "../../../../src/kernel/gateway/gateway-backend.ts";
import { ask } from "../../../../src/kernel/gateway/rest/rest.ts";
import type { GatewayRecord } from "../../../../src/kernel/gateway/shared/gateway-record.ts";
import { acquireSharedGateway } from "../../../../src/kernel/gateway/shared/shared-gateway.ts";
import type { Kernel } from "../../../../src/kernel/kernel.ts";
import { printed, run, runAndWhenReady, runToDeath } from "../../collect.ts";
import { py } from "../../py.ts";
import { plainEnvironment } from "../../runner/start-runner.ts";
import { until } from "../../until.ts";
import { describeWithJupyter } from "../jupyter-python.ts";
import { GatewayHome } from "../start-gateway-kernel.ts";
import { CuttableProxy } from "./cuttable-proxy.ts";

describeWithJupyter("a connection that breaks", (python) => {
  const home = new GatewayHome();
  let record: GatewayRecord;
  let proxy: CuttableProxy;
  let kernel: Kernel;
  let folder: string;

  // No test here loses this kernel, and another one takes half a second of processor time.
  beforeAll(async () => {
    const limits = { unusedKernelSeconds: 300, idleSeconds: 900 };
    const options = { interpreter: python, gatewayInterpreter: python, env: plainEnvironment, limits };
    record = await acquireSharedGateway({ home: home.path, ...options });
    proxy = await CuttableProxy.before(record.url);
    const external = { url: proxy.url, token: record.token };
    const backend = createGatewayBackend({ home: home.path, external });
    folder = mkdtempSync(join(tmpdir(), "granary-broken-"));
    kernel = await backend.start({ interpreter: python, cwd: folder, env: {} });
  });

  afterEach(() => {
    proxy.reopen();
    for (const name of ["go", "printed"]) rmSync(join(folder, name), { force: true });
  });

  afterAll(async () => {
    await kernel.close();
    await proxy.close();
    await home.close();
  });

  const model = async () => {
    const { body } = await ask(record, { method: "GET", path: `api/kernels/${kernel.id}` });
    return body as { readonly connections?: unknown; readonly execution_state?: unknown };
  };
  const connections = async (): Promise<unknown> => (await model()).connections;
  const state = async (): Promise<unknown> => (await model()).execution_state;

  test("output without a connection arrives with the next connection, once, and nothing is reported missing", async () => {
    const code = py`
      import os, time
      print("ready", flush=True)
      while not os.path.exists("go"): time.sleep(0.005)
      for number in range(100): print(number)
      open("printed", "w").close()
    `;
    const { stdout, stderr, outcome } = await runAndWhenReady(kernel, code, async () => {
      proxy.shut();
      await until("the gateway has noticed", async () => (await connections()) === 0);
      writeFileSync(join(folder, "go"), "");
      await until("the cell has printed", () => existsSync(join(folder, "printed")));
      proxy.reopen();
    });
    expect(outcome).toBe("ok");
    expect(stdout).toBe(`ready\n${Array.from({ length: 100 }, (_, number) => `${number}\n`).join("")}`);
    expect(stderr).toBe("");
  });

  test("after cuts at any moment, every line comes once and in order, or the result says that some may be missing", async () => {
    const code = py`
      import time
      for number in range(300):
          print(number, flush=True)
          time.sleep(0.002)
    `;
    let lines = 0;
    const { stdout, stderr, outcome, error } = await run(kernel, code, {
      onEvent(event) {
        if (event.type !== "stream" || event.name !== "stdout") return;
        const before = lines;
        lines += event.text.split("\n").length - 1;
        if (Math.floor(before / 100) < Math.floor(lines / 100)) proxy.cut();
      },
    });
    // The last cut may lose the answer: then the result says so, and the cell does not wait for ever.
    if (outcome !== "ok") expect(error?.name).toBe("ConnectionLost");
    const numbers = stdout.trim().split("\n").map(Number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    // A lost message may have been one without output, such as the last status: then the sentence is there beside all lines.
    const sentence = /^\[Granary: some output may be missing: the connection .* lost .*\]\n$/;
    if (outcome === "ok") expect(stderr).toMatch(numbers.length < 300 ? sentence : new RegExp(`^$|${sentence.source}`));
    expect(await printed(kernel, "print('next')")).toBe("next\n");
  });

  test("a cell whose answer was lost with the connection ends, and the result says that its outcome is unknown", async () => {
    const code = py`
      import os, time
      print("ready", flush=True)
      while not os.path.exists("go"): time.sleep(0.005)
      print("unheard", flush=True)
      x = 1
    `;
    const { stdout, error } = await runAndWhenReady(kernel, code, async () => {
      proxy.swallow();
      writeFileSync(join(folder, "go"), "");
      await until("the cell is over", async () => (await state()) === "idle");
      proxy.cut();
    });
    expect(stdout).toBe("ready\n");
    expect(error?.name).toBe("ConnectionLost");
    expect(await printed(kernel, "print(x)")).toBe("1\n");
  });

  test("a cell whose request was lost with the connection runs once when there is a new one", async () => {
    await printed(kernel, "runs = 0");
    proxy.shut();
    const cell = run(kernel, "runs += 1; print(runs)");
    const before = proxy.connections;
    await until("connecting was tried", () => proxy.connections > before);
    proxy.reopen();
    expect((await cell).stdout).toBe("1\n");
    expect(await printed(kernel, "print(runs)")).toBe("1\n");
  });

  test("between cells it is made again, and the next cell knows nothing of it", async () => {
    await printed(kernel, "x = 1");
    proxy.cut();
    const { stdout, stderr } = await run(kernel, "print(x)");
    expect([stdout, stderr]).toEqual(["1\n", ""]);
  });

  test("a gateway that does not come back is given up, and the result says what was tried", async () => {
    const impatient = createGatewayBackend({
      home: home.path,
      external: { url: proxy.url, token: record.token },
      reconnectSeconds: 0.2,
    });
    const lost = await impatient.start({ interpreter: python, cwd: folder, env: {} });
    const { thrown, text } = await runToDeath(lost, "import time\nprint('ready', flush=True)\ntime.sleep(60)", {
      onEvent: (event) => {
        if (event.type === "stream") proxy.shut();
      },
    });
    expect(text).toContain("ready");
    expect(thrown).toMatchObject({ code: "kernel-died", details: { started: true } });
    expect(String(thrown)).toContain("reconnecting failed for 0.2 s");
    await lost.close();
  });

  test("a gateway killed in the middle of a cell is reported at once, and the next kernel gets another gateway", async () => {
    const shared = await home.start(python);
    const { thrown, text } = await runToDeath(shared, "import time\nprint('ready', flush=True)\ntime.sleep(60)", {
      onEvent: (event) => {
        if (event.type === "stream") process.kill(record.pid, "SIGKILL");
      },
    });
    expect(text).toContain("ready");
    expect(thrown).toMatchObject({ code: "kernel-died", details: { started: true } });
    expect(String(thrown)).toContain("The Jupyter gateway that ran the kernel has ended");
    await using next = await home.start(python);
    expect(await printed(next, "print('next')")).toBe("next\n");
  });
});
