import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import {
  type Connection,
  endpointOf,
  readConnectionFile,
  type SocketName,
  writeConnectionFile,
} from "../../../src/kernel/zmq/connection-file.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import type { ExecutionResult } from "../../../src/session/execution/execution.ts";
import type { Session } from "../../../src/session/session.ts";
import { runtimeIn } from "../../runtime/runtimes.ts";
import { printed } from "../collect.ts";
import { describeWithJupyter } from "../gateway/jupyter-python.ts";
import { CuttableProxy } from "../gateway/websocket/cuttable-proxy.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";
import { startZmq } from "./start-zmq.ts";

describeWithJupyter("a session whose connection to its kernel breaks in the middle of a cell", (python) => {
  let folder: string;
  let owner: Kernel;
  let names: readonly SocketName[];
  let proxies: readonly CuttableProxy[];
  let granary: Runtime;
  let session: Session;

  // The kernel belongs to another client, which is connected directly; the session goes through proxies.
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "granary-cut-"));
    owner = await startZmq(python, { cwd: folder });
    const file = (await printed(owner, "import ipykernel; print(ipykernel.get_connection_file())")).trim();
    const connection = await readConnectionFile(file);
    names = Object.keys(connection.ports) as SocketName[];
    proxies = await Promise.all(names.map((name) => CuttableProxy.before(endpointOf(connection, name))));
    const ports = Object.fromEntries(names.map((name, index) => [name, (proxies[index] as CuttableProxy).port]));
    const detour = { ...connection, transport: "tcp", ip: "127.0.0.1", ports: ports as Connection["ports"] } as const;
    const attach = join(folder, "kernel.json");
    await writeConnectionFile(attach, detour, "python3");
    granary = await runtimeIn(folder, {}, { attach });
    session = granary.session();
  });

  afterEach(async () => {
    await granary.close();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await owner.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const proxyOf = (name: SocketName): CuttableProxy => proxies[names.indexOf(name)] as CuttableProxy;

  const cell = py`
    import os, time
    print("ready", flush=True)
    while not os.path.exists("go"): time.sleep(0.005)
    x = 42
    print("over")
  `;

  /** Settles when the cell has said that it is ready. */
  const whenReady = async (): Promise<{ result: Promise<ExecutionResult>; heard: readonly string[] }> => {
    const heard: string[] = [];
    const { result } = session.run(cell, {
      onEvent: (event) => {
        if (event.type === "stream") heard.push(event.text);
      },
    });
    await until("the cell is ready", () => heard.length > 0);
    return { result, heard };
  };

  test("gets its result when only the output was cut off, and a note that output may be missing", async () => {
    const { result, heard } = await whenReady();
    proxyOf("iopub").cut();
    await until("that is reported", () => heard.some((text) => text.includes("some output may be missing")));
    writeFileSync(join(folder, "go"), "");
    const { status, output } = await result;
    expect(status).toBe("ok");
    expect(output).toContain("[Granary: some output may be missing: the connection to the kernel was interrupted]");
    expect(await session.run("x").result).toMatchObject({ status: "ok", output: "42\n", ledger: { state: "alive" } });
  });

  test("reports an unknown outcome if the cell ended without a connection; the next cell finds its effects", async () => {
    const { result } = await whenReady();
    for (const proxy of proxies) proxy.shut();
    writeFileSync(join(folder, "go"), "");
    // A kernel runs one cell after another: when this one ends, the other has ended, and its reply is lost.
    await printed(owner, "print('next')");
    for (const proxy of proxies) proxy.reopen();
    const { status, error, output } = await result;
    expect({ status, name: error?.name }).toEqual({ status: "error", name: "ConnectionLost" });
    expect(output).toContain("how it ended is not known");
    expect(await session.run("x").result).toMatchObject({ status: "ok", output: "42\n", ledger: { state: "alive" } });
  });

  test("has a cell run once that was sent while there was no connection", async () => {
    await session.run("runs = 0").result;
    for (const proxy of proxies) proxy.shut();
    const { result } = session.run("runs += 1; open('ran', 'a').close(); runs");
    const tried = proxies.map(({ connections }) => connections);
    await until("connecting was tried", () =>
      proxies.some(({ connections }, at) => connections > (tried[at] as number)),
    );
    expect(existsSync(join(folder, "ran"))).toBe(false);
    for (const proxy of proxies) proxy.reopen();
    expect(await result).toMatchObject({ status: "ok" });
    expect(await session.run("runs").result).toMatchObject({ output: "1\n" });
  });
});
