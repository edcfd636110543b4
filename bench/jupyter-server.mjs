import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A jupyter_server as somebody else would run it.
 * @param {Pick<import("./setting.mjs").Setting, "python" | "env">} setting
 */
export async function startJupyterServer({ python, env }) {
  const folder = mkdtempSync(join(tmpdir(), "granary-bench-"));
  const port = await freePort();
  const token = "bench";
  const options = ["--ServerApp.ip=127.0.0.1", `--ServerApp.port=${port}`, "--ServerApp.port_retries=0"];
  const others = ["--no-browser", "--allow-root", "--log-level=ERROR", `--ServerApp.root_dir=${folder}`];
  const child = spawn(python, ["-m", "jupyter_server", ...options, ...others], {
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

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}
