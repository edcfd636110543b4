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

/** A heartbeat is answered also while a cell runs: after so long a silence nobody is there. */
const firstBeatMs = 10_000;

/** Joins a kernel that somebody else has started. It is never ended from here: `close` only lets go of it. */
export async function attachKernel(options: AttachOptions): Promise<Kernel> {
  const connection = await readConnectionFile(options.connectionFile);
  const session = randomUUID();
  const channel = new ZmqChannel(connection, session);
  const heartbeat = new HeartbeatSocket(endpointOf(connection, "hb"));
  const process = somebodyElses(heartbeat);
  let isThere = false;
  try {
    using patience = deadlineAfter(firstBeatMs, options.signal);
    await heartbeat.beat(patience.signal);
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
  const sentence = `The kernel at ${connectionFile} is there, but busy with something else. Try again later, or give it more time.`;
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
    // Its process may be on another machine; a message reaches it wherever it is.
    interrupt: undefined,
    attached: true,
    async terminate() {
      detach("Granary has detached from the kernel, which goes on.");
    },
    async close() {
      detach("Granary has detached from the kernel, which goes on.");
    },
    ping: (signal) => heartbeat.beat(signal),
    findTrouble: (signal) =>
      heartbeat.beat(signal).then(
        () => null,
        () => ({ reason: "The kernel does not answer its heartbeat any more.", mayPass: false }),
      ),
  };
}
