import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCell } from "../granary.mjs";
import { startJupyterServer } from "../jupyter-server.mjs";
import { interleave } from "../measure.mjs";
import { plainClient } from "../peers/plain-websocket.mjs";
import { timesTheFloor } from "../report.mjs";

/** @typedef {import("../setting.mjs").Setting} Setting */
/** @typedef {import("../../src/kernel/kernel.ts").KernelBackend} KernelBackend */
/** @typedef {import("../../src/kernel/kernel.ts").Kernel} Kernel */

// Built, as users get it.
const load = (/** @type {string} */ file) => import(new URL(`../../dist/kernel/${file}`, import.meta.url).href);
const { createZmqBackend } = /** @type {typeof import("../../src/kernel/zmq/zmq-backend.ts")} */ (
  await load("zmq/zmq-backend.js")
);
const { createGatewayBackend } = /** @type {typeof import("../../src/kernel/gateway/gateway-backend.ts")} */ (
  await load("gateway/gateway-backend.js")
);
const { stopSharedGateways } = /** @type {typeof import("../../src/kernel/gateway/shared/shared-gateway.ts")} */ (
  await load("gateway/shared/shared-gateway.js")
);

/**
 * Here the floor is the time of the same kernel with another client: jupyter_client, or a plain WebSocket.
 * @param {Setting} setting
 */
export async function jupyterKernels(setting) {
  if (setting.jupyter === undefined) return [];
  const home = mkdtempSync(join(tmpdir(), "granary-bench-home-"));
  const gateway = createGatewayBackend({ home });
  try {
    return [
      ...(await besideJupyterClient(setting, "zmq", createZmqBackend(), 1.1)),
      ...(await besideJupyterClient(setting, "shared gateway", gateway)),
      await besidePlainClient(setting, home, "kernel_gateway"),
      await besidePlainClient(setting, home, "jupyter_server"),
    ];
  } finally {
    await stopSharedGateways(home);
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * @param {Setting} setting
 * @param {string} name
 * @param {KernelBackend} backend
 * @param {number} [atMost] times jupyter_client's time per cell
 */
async function besideJupyterClient(setting, name, backend, atMost) {
  const jupyter = /** @type {import("../jupyter.mjs").Jupyter} */ (setting.jupyter);
  const { python, env, quick } = setting;
  const start = () => backend.start({ interpreter: python, cwd: tmpdir(), env });
  const starts = await interleave(
    { floor: () => jupyter.start(), ours: () => startAndCompute(start) },
    { rounds: quick ? 2 : 7 },
  );
  const kernel = await start();
  const cells = await interleave(
    { floor: () => jupyter.run("1+1"), ours: async () => void (await runCell(kernel, "1+1")) },
    { rounds: quick ? 30 : 200, warmUp: 10 },
  );
  await kernel.close();
  return [
    timesTheFloor({ what: `${name}: start to the first result, against jupyter_client`, ...starts }),
    timesTheFloor({ what: `${name}: \`1+1\`, against jupyter_client`, ...cells, ...(atMost ? { atMost } : {}) }),
  ];
}

/** @param {() => Promise<Kernel>} start */
async function startAndCompute(start) {
  const begun = performance.now();
  const kernel = await start();
  await runCell(kernel, "1+1");
  const milliseconds = performance.now() - begun;
  await kernel.close();
  return milliseconds;
}

/**
 * The effect of the remedy for delayed acknowledgements, on an external server.
 * @param {Setting} setting
 * @param {string} home
 * @param {import("../jupyter-server.mjs").ServerModule} module
 */
async function besidePlainClient(setting, home, module) {
  const server = await startJupyterServer(setting, module);
  const plain = await plainClient(server);
  const backend = createGatewayBackend({ home, external: server });
  const kernel = await backend.start({ interpreter: "", cwd: tmpdir(), env: {} });
  try {
    const samples = await interleave(
      { floor: async () => void (await plain.run("1+1")), ours: async () => void (await runCell(kernel, "1+1")) },
      { rounds: setting.quick ? 30 : 200, warmUp: 10 },
    );
    const what = `${module}: \`1+1\`, against a plain WebSocket client`;
    return timesTheFloor({ what, ...samples, atMost: 0.33 });
  } finally {
    await kernel.close();
    await plain.end();
    await server.end();
  }
}
