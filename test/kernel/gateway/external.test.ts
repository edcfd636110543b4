import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGatewayBackend } from "../../../src/kernel/gateway/gateway-backend.ts";
import { ask } from "../../../src/kernel/gateway/rest/rest.ts";
import type { Kernel, StartOptions } from "../../../src/kernel/kernel.ts";
import { printed, run, runToDeath } from "../collect.ts";
import { until } from "../until.ts";
import { describeWithJupyter } from "./jupyter-python.ts";
import { JupyterServer } from "./jupyter-server.ts";

describeWithJupyter("an external jupyter_server", (python) => {
  let server: JupyterServer;
  beforeAll(async () => {
    server = await JupyterServer.start(python);
  });
  afterAll(() => server?.close());

  const start = (options: Partial<StartOptions> = {}, token: string | undefined = server.token): Promise<Kernel> =>
    createGatewayBackend({ home: "/nowhere", external: { url: server.url, token } }).start({
      interpreter: "/no/python/is/needed",
      cwd: tmpdir(),
      env: { SECRET: "of this machine" },
      ...options,
    });

  const idsOnServer = async (): Promise<readonly string[]> => {
    const { body } = await ask(server, { method: "GET", path: "api/kernels" });
    return (body as readonly { readonly id: string }[]).map(({ id }) => id);
  };

  test("runs cells, below its base path, and is given nothing of this machine's environment; the token is in no trace and no error", async () => {
    const told: string[] = [];
    const trace = (...words: string[]): void => void told.push(words.join(" "));
    await using kernel = await start({ trace, onStage: (stage) => told.push(stage) });
    expect(await printed(kernel, "import os; print(os.environ.get('SECRET'), os.getcwd())")).toBe(`None ${tmpdir()}\n`);
    expect(kernel.info).toMatchObject({ backend: "gateway", language: "python", pid: null });
    expect(kernel.info.executable).toBe(`python3 at ${server.url}`);
    await run(kernel, "1/0");
    expect(told.join("\n")).toContain("execute_request");
    expect(told.join("\n")).not.toContain(server.token);
    const refusal = await start({}, `${server.token}-but-wrong`).catch((error) => error);
    expect(`${refusal.message} ${JSON.stringify(refusal)} ${refusal.cause}`).not.toContain(server.token);
  });

  test("a missing folder there is not searched on this machine", async () => {
    await using kernel = await start({ cwd: "/only/there" });
    expect(await printed(kernel, "print('fine')")).toBe("fine\n");
  });

  test("a wrong token and a missing one are reported as such, with the variable to set", async () => {
    await expect(start({}, "wrong")).rejects.toThrow(
      /does not accept the token \(403\)\. Set PI_PYTHON_GATEWAY_TOKEN\./,
    );
    await expect(start({}, "")).rejects.toThrow(/wants a token \(403\)\. Set PI_PYTHON_GATEWAY_TOKEN\./);
    const { url } = server;
    const backend = createGatewayBackend({ home: "/nowhere", external: { url, token: "wrong" } });
    expect(await backend.probe({ interpreter: "", env: {} })).toEqual({
      available: false,
      reason: expect.stringContaining("does not accept the token"),
      remedy: "Set PI_PYTHON_GATEWAY_TOKEN.",
    });
  });

  test("output that it drops because of its limits is reported as missing", async () => {
    await using kernel = await start();
    const { stdout, stderr, outcome } = await run(kernel, "for _ in range(60): print('x' * 100_000)");
    expect(outcome).toBe("ok");
    expect(stdout.length).toBeLessThan(6_000_000);
    expect(stderr).toMatch(
      /some output may be missing: the server drops output beyond its iopub_data_rate_limit of 1000000/,
    );
  });

  test("a kernel's death is reported, and the kernel is not replaced silently", async () => {
    await using kernel = await start();
    const { thrown } = await runToDeath(kernel, "import os; os._exit(1)");
    expect(thrown).toMatchObject({ code: "kernel-died", details: { started: true } });
    expect(String(thrown)).toContain("the gateway reports it as dead");
    await kernel.close();
    expect(await idsOnServer()).not.toContain(kernel.id);
  });

  test("a closed kernel is reported as closed, even if the server reports a shutdown", async () => {
    const kernel = await start();
    await run(kernel, "import atexit, time; _ = atexit.register(time.sleep, 0.2)");
    await kernel.close();
    expect(await kernel.exited).toMatchObject({ expected: true, summary: "The kernel was closed." });
    expect(await idsOnServer()).not.toContain(kernel.id);
  });

  test("a cell that resists another client's shutdown is still reported as shut down", async () => {
    await using kernel = await start();
    const stubborn =
      "import time\nprint('begins', flush=True)\nwhile True:\n    try: time.sleep(60)\n    except KeyboardInterrupt: pass";
    const { thrown } = await runToDeath(kernel, stubborn, {
      onEvent: (event) => {
        if (event.type === "stream") void ask(server, { method: "DELETE", path: `api/kernels/${kernel.id}` });
      },
    });
    expect(thrown).toMatchObject({ code: "kernel-died", details: { started: true } });
    expect(String(thrown)).toContain("Another client has shut the kernel down");
    await kernel.close();
    expect(await idsOnServer()).not.toContain(kernel.id);
  });

  test("reports which kernels are gone, and the request does not count as use", async () => {
    await using kernel = await start();
    await run(kernel, "1");
    const lastActivity = async (): Promise<unknown> => {
      const request = { method: "GET", path: "api/status", query: { no_track_activity: "1" } } as const;
      return ((await ask(server, request)).body as { readonly last_activity?: unknown }).last_activity;
    };
    let before = await lastActivity();
    // The server hears of the cell's end on a connection of its own.
    await until("the cell's end has arrived", async () => {
      const earlier = before;
      await sleep(200);
      before = await lastActivity();
      return before === earlier;
    });
    expect(await kernel.findTrouble()).toBe(null);
    expect(await lastActivity()).toBe(before);
    await ask(server, { method: "DELETE", path: `api/kernels/${kernel.id}` });
    expect(await kernel.findTrouble()).toEqual({
      reason: `The kernel is gone: the gateway at ${server.url} no longer knows it.`,
      mayPass: false,
    });
  });

  test("that hangs in the middle of a cell is reported as not reached, within the bounds of the connection", async () => {
    const hanging = await JupyterServer.start(python);
    const external = { url: hanging.url, token: hanging.token };
    const backend = createGatewayBackend({ home: "/nowhere", external, reconnectSeconds: 0.5, silenceSeconds: 0.5 });
    const kernel = await backend.start({ interpreter: "", cwd: tmpdir(), env: {} });
    try {
      const { thrown } = await runToDeath(kernel, "import time\nprint('ready', flush=True)\ntime.sleep(600)", {
        onEvent: (event) => {
          if (event.type === "stream") hanging.signal("SIGSTOP");
        },
      });
      expect(thrown).toMatchObject({ code: "kernel-died", details: { started: true } });
      expect(String(thrown)).toContain(`The connection to the gateway at ${hanging.url} was lost`);
    } finally {
      hanging.signal("SIGCONT");
      await kernel.close();
      await hanging.close();
    }
  });

  test("a kernel that it does not have is named, with those that it has", async () => {
    const backend = createGatewayBackend({
      home: "/nowhere",
      external: { url: server.url, token: server.token },
      kernel: "no-such-kernel",
    });
    const starting = backend.start({ interpreter: "", cwd: "/", env: {} });
    await expect(starting).rejects.toThrow(/has no kernel named no-such-kernel\. Choose one that it has: .*python3/);
  });
});
