import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { makeOwnedFolder } from "../../support/files/owned-folder.ts";
import { KernelError } from "../errors.ts";
import { openJupyterKernel } from "../jupyter/open-kernel.ts";
import type { Kernel, StartOptions } from "../kernel.ts";
import { chooseConnection } from "./choose-connection.ts";
import { endpointOf, writeConnectionFile } from "./connection-file.ts";
import { HeartbeatSocket } from "./heartbeat.ts";
import { kernelCommand } from "./kernel-command.ts";
import { findKernelspec } from "./kernelspec.ts";
import { type SpawnedKernel, spawnKernel } from "./spawn-kernel.ts";
import { ZmqChannel } from "./zmq-channel.ts";

export interface ZmqLaunchOptions extends StartOptions {
  /** The name of a kernelspec; without one, ipykernel of the interpreter is started. */
  readonly kernelspec?: string | undefined;
}

export async function launchZmqKernel(options: ZmqLaunchOptions): Promise<Kernel> {
  const spec = options.kernelspec === undefined ? undefined : await findKernelspec(options.kernelspec, options);
  // Only the owner may enter: the sockets and the key are in it.
  const folder = makeOwnedFolder("zmq");
  // Again, where no descriptors are left; what stays then is removed by a later process.
  const tidyUp = (): Promise<void> =>
    rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch(() => undefined);
  try {
    const isPython = (spec?.language ?? "python") === "python";
    // Some kernels of other languages cannot use ipc sockets.
    const connection = await chooseConnection(folder, { ipc: isPython });
    const file = join(folder, "kernel.json");
    await writeConnectionFile(file, connection, spec?.name ?? "python3");
    const command = kernelCommand(spec, file, options);
    const kernel = await spawnKernel(command, {
      cwd: options.cwd,
      interruptMode: spec?.interruptMode ?? "signal",
      capturesOutput: isPython,
      inheritsStdin: options.inheritsStdin,
    });
    void kernel.exited.then(tidyUp);
    options.onStage?.("process created");
    const session = randomUUID();
    const channel = new ZmqChannel(connection, session);
    const heartbeat = new HeartbeatSocket(endpointOf(connection, "hb"));
    void kernel.exited.then(() => heartbeat.close());
    try {
      const process = Object.assign(kernel, { ping: (signal?: AbortSignal) => heartbeat.beat(signal) });
      const id = `zmq-${kernel.pid}`;
      return await openJupyterKernel(
        { backend: "zmq", id, session, channel, process, executable: command.file },
        options,
      );
    } catch (error) {
      await channel.close();
      await kernel.terminate();
      await kernel.exited;
      throw explained(error, kernel, options);
    }
  } catch (error) {
    await tidyUp();
    throw error;
  }
}

/** With the kernel's own output, which nearly always has the reason. */
function explained(error: unknown, kernel: SpawnedKernel, { signal, interpreter }: ZmqLaunchOptions): unknown {
  const said = kernel.said.trim();
  const details = { stderr: said };
  if (/No module named '?ipykernel/.test(said)) {
    const missing = ["ipykernel"];
    return new KernelError("start-failed", ipykernelIsMissing(interpreter), { details: { ...details, missing } });
  }
  const what = signal?.aborted ? "The kernel did not start in time." : (error as Error).message;
  return new KernelError(
    signal?.aborted ? "start-timeout" : "start-failed",
    said === "" || what.includes(" It said: ") ? what : `${what} It said: ${said}`,
    { details, cause: error },
  );
}

function ipykernelIsMissing(interpreter: string): string {
  return `${interpreter} has no ipykernel. Install it with: ${interpreter} -m pip install ipykernel`;
}
