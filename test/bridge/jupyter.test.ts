import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { stopSharedGateways } from "../../src/kernel/gateway/shared/shared-gateway.ts";
import type { HostCall } from "../../src/kernel/host-call.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import type { SettingsOverrides } from "../../src/settings/settings.ts";
import { describeWithJupyter } from "../kernel/gateway/jupyter-python.ts";
import { JupyterServer } from "../kernel/gateway/jupyter-server.ts";
import { py } from "../kernel/py.ts";
import { until } from "../kernel/until.ts";
import { environmentIn, runtimeIn, temporaryFolder } from "../runtime/runtimes.ts";
import { describeBridge } from "./describe-bridge.ts";
import { echo, toolsFor, waitFor } from "./host-tools.ts";

const folder = temporaryFolder();
afterAll(() => stopSharedGateways(environmentIn(folder).GRANARY_HOME as string));

describeWithJupyter("on Jupyter kernels", (interpreter) => {
  const open = (choices: SettingsOverrides["python"]): Promise<Runtime> =>
    runtimeIn(folder, { interpreter, startSeconds: 60, ...choices });

  describeBridge("calls over loopback HTTP", () => open({ backend: "zmq" }));

  test("kernels of the shared gateway call and are interrupted in the same way", async () => {
    await using granary = await open({ backend: "gateway" });
    let isWaiting = false;
    let isCalledOff = false;
    const hang = ({ signal }: HostCall): Promise<never> => {
      isWaiting = true;
      return waitFor(signal, () => {
        isCalledOff = true;
      });
    };
    granary.serveTools(toolsFor({ read: echo, hang }));
    const session = granary.session("shared");
    const { output } = await session.run("print(await tool.read(path='a'), await tool.read(path='b'))").result;
    expect(output).toBe('read {"path":"a"} read {"path":"b"}\n');
    const execution = session.run("tool.hang()");
    await until("the call is under way", () => isWaiting);
    await execution.interrupt();
    expect(await execution.result).toMatchObject({ status: "cancelled", ledger: { state: "interrupted" } });
    await until("the host knows", () => isCalledOff);
  });

  test("address and session are in the environment; no trace has the token; the address closes with the runtime", async () => {
    const ipcTrace = join(folder, "trace.txt");
    const granary = await open({ backend: "zmq", ipcTrace });
    granary.serveTools(toolsFor({ read: echo }));
    const cell = py`
      import os, granary_prelude.bridge
      print(os.environ["PI_TOOL_BRIDGE_URL"], os.environ["PI_TOOL_BRIDGE_SESSION"], tool.read(path="a"))
    `;
    const { output } = await granary.session("traced").run(cell).result;
    await granary.close();
    expect(output).toMatch(/^http:\/\/127\.0\.0\.1:\d+ traced read \{"path":"a"\}\n$/);
    const trace = readFileSync(ipcTrace, "utf8");
    expect(trace).toContain("PI_TOOL_BRIDGE_URL");
    expect(trace).not.toContain("granary-bridge-");
    await expect(fetch(output.split(" ")[0] as string)).rejects.toThrow();
  });

  test("a kernel started without tools has no address, and a call says so", async () => {
    await using granary = await open({ backend: "zmq" });
    const session = granary.session("early");
    const { error } = await session.run("import os; assert 'PI_TOOL_BRIDGE_URL' not in os.environ; tool.read()").result;
    expect(error).toMatchObject({ name: "ToolError", message: expect.stringContaining("Nobody served tools") });
    granary.serveTools(toolsFor({ read: echo }));
    expect((await session.run("print(tool.read())", { reset: true }).result).output).toBe("read {}\n");
  });

  test("a kernel behind an external gateway reports why it cannot call", async () => {
    const server = await JupyterServer.start(interpreter, { limits: false });
    try {
      await using granary = await open({ gatewayUrl: server.url, gatewayToken: server.token });
      granary.serveTools(toolsFor({ read: echo }));
      const { error } = await granary.session("far").run("tool.read(path='a')").result;
      expect(error?.message).toContain(
        "behind somebody's Jupyter gateway, from where the host's tools cannot be reached",
      );
    } finally {
      await server.close();
    }
  });
});
