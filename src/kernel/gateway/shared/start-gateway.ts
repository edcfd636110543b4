import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { deferred } from "../../../support/deferred.ts";
import { packageFile } from "../../../support/files/package-file.ts";
import { withoutForeignDescriptors } from "../../../support/process/descriptors.ts";
import { signalGroup, started } from "../../../support/process/process-group.ts";
import { identityOf } from "../../../support/process/process-identity.ts";
import { KernelError } from "../../errors.ts";
import { gatewayEnvironment, writeKernelspec } from "./gateway-folder.ts";
import type { GatewayRecord } from "./gateway-record.ts";
import { isHealthy } from "./health.ts";

export interface GatewayStart {
  readonly folder: string;
  /** The Python for kernels. */
  readonly interpreter: string;
  /** The Python that has `kernel_gateway`: the same, or that of Granary's own environment. */
  readonly gatewayInterpreter: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: GatewayLimits;
  readonly signal?: AbortSignal | undefined;
}

export interface GatewayLimits {
  /** A kernel without a connection is ended after so long. */
  readonly unusedKernelSeconds: number;
  /** A gateway without a kernel ends after so long. */
  readonly idleSeconds: number;
}

export const gatewayConfig: string = packageFile("python/granary_gateway_config.py");
/**
 * `-m kernel_gateway`, without a package that jsonschema loads if it is there, for a format that no schema of Jupyter's uses: its
 * import builds a grammar, which is two thirds of a gateway's start.
 */
const withoutSlowFormat = `import runpy, sys
sys.modules["rfc3987_syntax"] = None
runpy.run_module("kernel_gateway", run_name="__main__", alter_sys=True)`;
const attempts = 3;
const lookAgainMs = 50;
const shownLogBytes = 2000;

/** Starts a gateway that outlives this process. Retries when another program took its port in between. */
export async function startGateway(start: GatewayStart): Promise<GatewayRecord> {
  const jupyterPath = await writeKernelspec(start.folder, start.interpreter);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const token = randomBytes(32).toString("hex");
    const child = await spawnGateway(start, { port, token, jupyterPath });
    const record = {
      ...identityOf(child.pid as number),
      url: `http://127.0.0.1:${port}`,
      token,
      interpreter: start.interpreter,
      startedAt: new Date().toISOString(),
    };
    const ended = await untilReady(child, record, start);
    if (ended === null) return record;
    const said = await lastWords(start.folder);
    const isPortTaken = /no available port|already in use/i.test(said);
    if (!isPortTaken || attempt === attempts) {
      throw neverReady(start, ended, said);
    }
  }
}

function neverReady({ folder, gatewayInterpreter }: GatewayStart, ended: string, said: string): KernelError {
  const remedy = /\b(ImportError|ModuleNotFoundError)\b/.test(said)
    ? `It needs Kernel Gateway 3: ${gatewayInterpreter} -m pip install --upgrade jupyter_kernel_gateway ipykernel`
    : `Its log is ${logIn(folder)}.`;
  const sentence = `The Jupyter gateway ended before it was ready (${ended}). It said: ${said}\n${remedy}`;
  return new KernelError("start-failed", sentence, { details: { log: logIn(folder) } });
}

async function spawnGateway(
  { folder, gatewayInterpreter, env, limits }: GatewayStart,
  { port, token, jupyterPath }: { readonly port: number; readonly token: string; readonly jupyterPath: string },
): Promise<ChildProcess> {
  const inherited = gatewayEnvironment(env);
  const log = await open(logIn(folder), "w", 0o600);
  try {
    const start = (stdio: StdioOptions) =>
      spawn(gatewayInterpreter, ["-c", withoutSlowFormat, `--config=${gatewayConfig}`], {
        // Not the caller's folder, which may be deleted earlier.
        cwd: folder,
        detached: true,
        stdio,
        env: {
          ...inherited,
          JUPYTER_PATH: [jupyterPath, inherited.JUPYTER_PATH].filter(Boolean).join(delimiter),
          JUPYTER_RUNTIME_DIR: join(folder, "runtime"),
          // A gateway that does not understand its configuration must not start with defaults.
          TRAITLETS_APPLICATION_RAISE_CONFIG_FILE_ERROR: "1",
          // Not on the command line, which every user of the machine can read.
          KG_AUTH_TOKEN: token,
          GRANARY_GATEWAY_PORT: String(port),
          GRANARY_GATEWAY_IDLE_SECONDS: String(limits.idleSeconds),
          GRANARY_UNUSED_KERNEL_SECONDS: String(limits.unusedKernelSeconds),
        },
      });
    const child = await withoutForeignDescriptors(["ignore", log.fd, log.fd], (stdio) =>
      started(() => start(stdio)),
    ).catch((cause: Error) => {
      const sentence = `The Jupyter gateway could not be started with ${gatewayInterpreter}: ${cause.message}. Check the interpreter.`;
      throw new KernelError("start-failed", sentence, { cause });
    });
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

/** Null when it is ready; otherwise how it ended. The signal ends it. */
async function untilReady(
  child: ChildProcess,
  record: GatewayRecord,
  { signal }: GatewayStart,
): Promise<string | null> {
  const exited = deferred<string>();
  child.once("exit", (code, killedBy) => exited.resolve(killedBy ?? `exit code ${code}`));
  for (;;) {
    if (signal?.aborted) {
      signalGroup(record.pid, "SIGKILL");
      const sentence = "The Jupyter gateway was not ready in time. Give it more time with python.startSeconds.";
      throw new KernelError("start-timeout", sentence, { cause: signal.reason });
    }
    if (child.exitCode !== null || child.signalCode !== null) return exited.promise;
    if (await isHealthy(record, signal)) return null;
    await sleep(lookAgainMs);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

export function logIn(folder: string): string {
  return join(folder, "gateway.log");
}

async function lastWords(folder: string): Promise<string> {
  const log = await readFile(logIn(folder), "utf8").catch(() => "");
  return log.trim().slice(-shownLogBytes) || "nothing.";
}
