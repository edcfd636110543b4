import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {"jupyter_server" | "kernel_gateway"} ServerModule */

/**
 * A Jupyter server with its default settings, as users run it.
 * @param {Pick<import("./setting.mjs").Setting, "python" | "env">} setting
 * @param {ServerModule} module
 */
export async function startJupyterServer({ python, env }, module) {
  const folder = mkdtempSync(join(tmpdir(), "granary-bench-"));
  const port = await freePort();
  const token = "bench";
  const child = spawn(python, ["-m", module, ...optionsOf(module, port, token, folder)], {
    env: { ...env, JUPYTER_TOKEN: token, JUPYTER_RUNTIME_DIR: folder },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/api/kernelspecs?token=${token}`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (child.exitCode === null && !(await isReady())) await sleep(100);
  return {
    url,
    token,
    async end() {
      child.kill();
      if (child.exitCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param {ServerModule} module @param {number} port @param {string} token @param {string} folder */
function optionsOf(module, port, token, folder) {
  const app = module === "jupyter_server" ? "ServerApp" : "KernelGatewayApp";
  const common = [`--${app}.ip=127.0.0.1`, `--${app}.port=${port}`, `--${app}.port_retries=0`, "--log-level=ERROR"];
  if (module === "kernel_gateway") return [...common, `--${app}.auth_token=${token}`];
  return [...common, "--no-browser", "--allow-root", `--${app}.root_dir=${folder}`];
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}
