import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "./connect.mjs";

/** @type {import("../task.mjs").System} */
export const datalayer = {
  name: "datalayer",
  title(python) {
    const code =
      "from importlib.metadata import version as v; print(v('jupyter-mcp-server'), 'on JupyterLab', v('jupyterlab'))";
    return `datalayer jupyter-mcp-server ${execFileSync(python, ["-c", code], { encoding: "utf8" }).trim()}`;
  },
  /** JupyterLab is already open beside the agent, as that server's documentation asks for; its start is not counted. */
  async start({ folder, python, env }) {
    const bin = dirname(python);
    const token = randomBytes(16).toString("hex");
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const lab = spawn(
      join(bin, "jupyter-lab"),
      [
        ...["--no-browser", "--allow-root", `--ServerApp.port=${port}`, "--ServerApp.port_retries=0"],
        ...[`--IdentityProvider.token=${token}`, `--ServerApp.root_dir=${folder}`],
      ],
      { cwd: folder, env, stdio: "ignore" },
    );
    await answers(`${url}/api/status?token=${token}`, lab);
    const args = ["start", "--transport", "stdio", "--jupyter-url", url, "--jupyter-token", token];
    return {
      connect: () => connect({ command: join(bin, "jupyter-mcp-server"), args, cwd: folder, env }),
      async stop() {
        lab.kill("SIGTERM");
        const ended = await Promise.race([once(lab, "exit"), sleep(10_000)]);
        if (ended === undefined) lab.kill("SIGKILL");
      },
    };
  },
};

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}

/**
 * @param {string} url
 * @param {import("node:child_process").ChildProcess} lab
 */
async function answers(url, lab) {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (lab.exitCode !== null) throw new Error(`JupyterLab ended with exit status ${lab.exitCode}.`);
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await sleep(100);
  }
  throw new Error("JupyterLab did not answer within a minute.");
}
