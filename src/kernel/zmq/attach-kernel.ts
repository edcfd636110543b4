import { randomUUID } from "node:crypto";
import { deadlineAfter } from "../../support/deadline.ts";
import { deferred } from "../../support/deferred.ts";
import { KernelError } from "../errors.ts";
import type { KernelProcess, ProcessExit } from "../jupyter/kernel-process.ts";
import { openJupyterKernel } from "../jupyter/open-kernel.ts";
import type { Kernel, StartOptions } from "../kernel.ts";
import { endpointOf, readConnectionFile } from "./connection-file.ts";
import { HeartbeatSocket } from "./heartbeat.ts";
import { ZmqChannel } from "./zmq-channel.ts";

export interface AttachOptions extends Pick<StartOptions, "signal" | "interruptGraceMs" | "trace" | "onStage"> {
  readonly connectionFile: string;
}

/** A kernel answers its heartbeat also while a cell runs: after so long a silence it is gone. */
const firstBeatMs = 10_000;

/** Joins a kernel that another program has started. Granary never ends it: `close` only detaches. */
export async function attachKernel(options: AttachOptions): Promise<Kernel> {
  const connection = await readConnectionFile(options.connectionFile);
  const session = randomUUID();
  const channel = new ZmqChannel(connection, session);
  const heartbeat = new HeartbeatSocket(endpointOf(connection, "hb"));
  const process = somebodyElses(heartbeat);
  let isThere = false;
  try {
    using deadline = deadlineAfter(firstBeatMs, options.signal);
    await heartbeat.beat(deadline.signal);
    isThere = true;
    return await openJupyterKernel(
      { backend: "zmq", id: `zmq-${session}`, session, channel, process, executable: options.connectionFile },
      options,
    );
  } catch (cause) {
    await channel.close();
    heartbeat.close();
    if (cause instanceof KernelError) throw cause;
    if (options.signal?.aborted) throw isThere ? busyForTooLong(options.connectionFile, cause) : cause;
    const sentence = `No kernel answers at ${options.connectionFile}. It may have ended. Look for another connection file, or start a kernel.`;
    throw new KernelError("start-failed", sentence, { cause });
  }
}

function busyForTooLong(connectionFile: string, cause: unknown): KernelError {
  const sentence = `The kernel at ${connectionFile} exists, but is busy. Try again later, or give it more time.`;
  return new KernelError("start-timeout", sentence, { cause });
}

function somebodyElses(heartbeat: HeartbeatSocket): KernelProcess {
  const detached = deferred<ProcessExit>();
  const detach = (reason: string): void => {
    heartbeat.close();
    detached.resolve({ exitCode: null, signal: null, reason });
  };
  return {
    pid: null,
    exited: detached.promise,
    // A message reaches the process also on another machine.
    interrupt: undefined,
    attached: true,
    async terminate() {
      detach("Granary has detached from the kernel, which keeps running.");
    },
    async close() {
      detach("Granary has detached from the kernel, which keeps running.");
    },
    ping: (signal) => heartbeat.beat(signal),
    findTrouble: (signal) =>
      heartbeat.beat(signal).then(
        () => null,
        () => ({ reason: "The kernel no longer answers its heartbeat.", mayPass: false }),
      ),
  };
}
