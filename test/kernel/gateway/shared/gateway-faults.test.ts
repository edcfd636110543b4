import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readRecord } from "../../../../src/kernel/gateway/shared/gateway-record.ts";
import { sharedGateways, stopSharedGateways } from "../../../../src/kernel/gateway/shared/shared-gateway.ts";
import { environmentIn, runtimeIn, temporaryFolder } from "../../../runtime/runtimes.ts";
import { printed } from "../../collect.ts";
import { isRunning } from "../../processes.ts";
import { until } from "../../until.ts";
import { describeWithJupyter } from "../jupyter-python.ts";
import { GatewayHome } from "../start-gateway-kernel.ts";

describeWithJupyter("a shared gateway", (python) => {
  // A gateway takes seconds to start, so these tests, in order, share one until a test ends it.
  const home = new GatewayHome();
  afterAll(() => home.close());
  const only = async () => {
    const [gateway, ...others] = await sharedGateways(home.path);
    expect(others).toEqual([]);
    return gateway as NonNullable<typeof gateway>;
  };

  test("reports a kernel that ends while it starts, with its exit code and its words", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "granary-faults-"));
    writeFileSync(join(cwd, "ipykernel_launcher.py"), "raise SystemExit('The licence has expired.')");
    const stages: string[] = [];
    const starting = home.start(python, { cwd, onStage: (stage) => stages.push(stage) });
    await expect(starting).rejects.toMatchObject({
      code: "start-failed",
      message: "The kernel ended before it was ready (exit code 1). It said: The licence has expired.",
    });
    // Jupyter accepts the connection half a minute later: no start has waited for it.
    expect(stages).not.toContain("connected");
  });

  test("restores its deleted or damaged record, so that others find it and it can be stopped", async () => {
    await using kernel = await home.start(python);
    const { pid, folder } = await only();
    const file = join(folder, "gateway.json");
    for (const spoil of [() => rmSync(file), () => writeFileSync(file, '{"pid": 12')]) {
      // It has to know its record before it can restore it.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      spoil();
      await until("the record is back", async () => (await readRecord(folder))?.pid === pid);
      expect((await only()).pid).toBe(pid);
    }
    await using other = await home.start(python);
    expect((await only()).pid).toBe(pid);
    expect(await printed(other, "print(1)")).toBe("1\n");
    expect(await printed(kernel, "print(2)")).toBe("2\n");
  });

  test.skipIf(process.platform !== "linux")(
    "is stopped even if its record was lost a moment ago, and that of another home is not",
    async () => {
      const other = new GatewayHome();
      await using _ofOther = await other.start(python);
      await using _kernel = await home.start(python);
      const { pid, folder } = await only();
      rmSync(join(folder, "gateway.json"));
      expect(await stopSharedGateways(home.path)).toBe(1);
      expect(isRunning(pid)).toBe(false);
      expect(await stopSharedGateways(other.path)).toBe(1);
      await other.close();
    },
  );

  test("ends when another one has taken its place and nobody is connected", async () => {
    const kernel = await home.start(python);
    const { pid, folder } = await only();
    const record = await readRecord(folder);
    writeFileSync(join(folder, "gateway.json"), JSON.stringify({ ...record, pid: process.pid, began: null }));
    expect(await printed(kernel, "print('still here')")).toBe("still here\n");
    await kernel.close();
    await until("it has ended", () => !isRunning(pid));
    rmSync(join(folder, "gateway.json"));
  });

  test("that gets SIGTERM is blamed for the end of its kernels, and not another client", async () => {
    const kernel = await home.start(python);
    process.kill((await only()).pid, "SIGTERM");
    expect((await kernel.exited).summary).toMatch(/^The Jupyter gateway (was stopped|that ran the kernel has ended)/);
  });

  test("that is stopped (SIGSTOP) while a cell runs: the cell settles before anybody continues it, with that reason", async () => {
    const work = temporaryFolder();
    const settings = { interpreter: python, backend: "gateway", interruptGraceSeconds: 1, startSeconds: 60 } as const;
    await using runtime = await runtimeIn(work, settings);
    const gatewaysHome = environmentIn(work).GRANARY_HOME as string;
    try {
      const execution = runtime
        .session()
        .run("import time\nprint('begun', flush=True)\ntime.sleep(600)", { timeoutMs: 500 });
      let pid = 0;
      for await (const event of execution) {
        if (event.type !== "text" || pid !== 0) continue;
        pid = (await sharedGateways(gatewaysHome))[0]?.pid as number;
        process.kill(pid, "SIGSTOP");
      }
      const { status, ledger } = await execution.result;
      expect(status).toBe("timeout");
      expect(JSON.stringify(ledger)).toContain(`The process ${pid} of the Jupyter gateway has been stopped (SIGSTOP).`);
      expect(readFileSync(`/proc/${pid}/stat`, "latin1")).toMatch(/\) T /);
      expect((await runtime.session().run("6 * 7").result).output).toBe("42\n");
    } finally {
      await stopSharedGateways(gatewaysHome);
    }
  });

  test("that is stopped (SIGSTOP) is replaced, and its kernel ends without it", async () => {
    const kernel = await home.start(python);
    const { pid } = await only();
    process.kill(pid, "SIGSTOP");
    await kernel.close();
    expect(isRunning(kernel.info.pid as number)).toBe(false);
    await using next = await home.start(python);
    expect(await printed(next, "print('next')")).toBe("next\n");
    expect((await only()).pid).not.toBe(pid);
    expect(isRunning(pid)).toBe(false);
  });
});
