import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isHealthy } from "../../../../src/kernel/gateway/shared/health.ts";
import { endServer } from "../../processes.ts";
import { plainEnvironment } from "../../runner/start-runner.ts";
import { until } from "../../until.ts";

/** An external Jupyter Enterprise Gateway. */
export class EnterpriseGateway {
  readonly url: string;
  readonly token = "a-token-that-must-never-be-seen";
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(url: string, process: ChildProcess, folder: string) {
    this.url = url;
    this.#process = process;
    this.#folder = folder;
  }

  static async start(python: string, variables: Readonly<Record<string, string>> = {}): Promise<EnterpriseGateway> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), "granary-enterprise-"));
    const options = [
      ...["--ip=127.0.0.1", `--port=${port}`, "--port_retries=0", "--log-level=ERROR"],
      "--ZMQChannelsHandler.limit_rate=False",
    ];
    const env = {
      ...plainEnvironment,
      PATH: `${dirname(python)}:${plainEnvironment.PATH}`,
      EG_AUTH_TOKEN: "a-token-that-must-never-be-seen",
      JUPYTER_RUNTIME_DIR: folder,
      ...variables,
    };
    const process = spawn(python, ["-m", "enterprise_gateway", ...options], { stdio: "ignore", env, cwd: folder });
    const gateway = new EnterpriseGateway(`http://127.0.0.1:${port}`, process, folder);
    await until("Enterprise Gateway answers", () => isHealthy(gateway));
    return gateway;
  }

  async close(): Promise<void> {
    await endServer(this.#process);
    rmSync(this.#folder, { recursive: true, force: true });
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
