import { afterAll, beforeAll } from "vitest";
import { createGatewayBackend } from "../../../src/kernel/gateway/gateway-backend.ts";
import type { Kernel, StartOptions } from "../../../src/kernel/kernel.ts";
import { knownGaps, refuseUnsteadyGaps } from "../jupyter/ipykernel-gaps.ts";
import { describeKernel } from "../kernel-contract.ts";
import { KernelReserve } from "../zmq/start-zmq.ts";
import { contractParts, versionOf } from "./contract-parts.ts";
import { describeWithJupyter } from "./jupyter-python.ts";
import { JupyterServer } from "./jupyter-server.ts";

const howItEnded = "a server tells that a kernel has died, and not how";
const whichProcess = "the process is on the server's machine, where the test cannot reach it";

/** What is not to be known about a kernel on somebody else's server. */
const gapsOfServers: Readonly<Record<string, string>> = {
  "it says which Python it is": whichProcess,
  "os._exit is reported with its exit code, and the kernel is dead": howItEnded,
  "os.abort is reported with its signal": howItEnded,
  "a segmentation fault is reported with the line that caused it": howItEnded,
  "a signal that ends Python from inside is reported": howItEnded,
  "SIGKILL from outside in the middle of a cell is reported": whichProcess,
  "SIGKILL from outside between cells is noticed": whichProcess,
  "a kernel that died before the cell began says so: the cell can be sent again": whichProcess,
  "a kernel that dies while it is asked something fails the question": whichProcess,
  "a ping that is given up does not wait": whichProcess,
  "a child that left the process group does not hide the kernel's death": howItEnded,
};

describeWithJupyter("somewhere else", (python) => {
  let server: JupyterServer;
  beforeAll(async () => {
    server = await JupyterServer.start(python, { limits: false });
  });

  const start = (choices: Partial<StartOptions> = {}): Promise<Kernel> =>
    createGatewayBackend({ home: "/nowhere", external: { url: server.url, token: server.token } }).start({
      interpreter: "",
      cwd: "/",
      env: {},
      ...choices,
    });
  const reserve = new KernelReserve(() => start());
  afterAll(async () => {
    await reserve.close();
    await server.close();
  });

  describeKernel(
    "jupyter_server 2",
    (choices) => {
      refuseUnsteadyGaps();
      return choices.interruptGraceMs === undefined ? reserve.take(choices) : start(choices);
    },
    {
      python: { version: versionOf(python), packages: ["matplotlib", "numpy", "pandas"] },
      parts: contractParts,
      known: { ...knownGaps(), ...gapsOfServers },
    },
  );
});
