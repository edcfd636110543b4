import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHealthy } from "../../../src/kernel/gateway/shared/health.ts";
import { endServer } from "../processes.ts";
import { plainEnvironment } from "../runner/start-runner.ts";
import { until } from "../until.ts";

/** An external jupyter_server: below a path, and with its limits on by default. */
export class JupyterServer {
  readonly url: string;
  readonly token = "a-token-that-must-never-be-seen";
  readonly #process: ChildProcess;

  private constructor(url: string, process: ChildProcess) {
    this.url = url;
    this.#process = process;
  }

  static async start(python: string, { limits = true } = {}): Promise<JupyterServer> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), "granary-jupyter-"));
    const options = [
      ...["--ServerApp.ip=127.0.0.1", `--ServerApp.port=${port}`, "--ServerApp.port_retries=0", "--no-browser"],
      ...["--ServerApp.base_url=/user/ada/", `--ServerApp.root_dir=${folder}`, "--allow-root"],
      ...["--log-level=ERROR", `--ZMQChannelsWebsocketConnection.limit_rate=${limits ? "True" : "False"}`],
    ];
    const env = { ...plainEnvironment, JUPYTER_TOKEN: "a-token-that-must-never-be-seen", JUPYTER_RUNTIME_DIR: folder };
    const process = spawn(python, ["-m", "jupyter_server", ...options], { stdio: "ignore", env, cwd: folder });
    const server = new JupyterServer(`http://127.0.0.1:${port}/user/ada`, process);
    await until("jupyter_server answers", () => isHealthy(server)).catch(async (error) => {
      await endServer(process); // nobody else would
      throw error;
    });
    return server;
  }

  /** Such as SIGSTOP, after which it accepts connections and answers none. */
  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  async close(): Promise<void> {
    await endServer(this.#process);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
