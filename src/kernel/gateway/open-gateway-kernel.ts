import { randomUUID } from "node:crypto";
import { pythonLiteral } from "../../python/python-literal.ts";
import { endedEarly, openJupyterKernel } from "../jupyter/open-kernel.ts";
import type { Kernel, StartOptions } from "../kernel.ts";
import { GatewayProcess } from "./gateway-process.ts";
import type { KernelModel } from "./rest/create-kernel.ts";
import type { GatewayAddress } from "./rest/gateway-address.ts";
import { notReached } from "./rest/gateway-error.ts";
import { WebSocketChannel } from "./websocket/websocket-channel.ts";

export interface CreatedKernel {
  readonly address: GatewayAddress;
  readonly model: KernelModel;
  /** For `KernelInfo`. */
  readonly executable: string;
  /** Whether the kernel was started in another folder than `cwd`, and has to change to it. */
  readonly enterFolder: boolean;
  /** Whether it has been used before. */
  readonly resumed?: boolean;
  /** Whether it stays when it is closed. */
  readonly outlivesUs?: boolean;
  /** The process of the gateway, if it runs on this machine. */
  readonly serverPid: number | null;
  /** Whether the gateway is known to have ended. */
  readonly isGone: () => boolean;
  readonly reconnectMs: number;
  readonly silenceMs: number;
}

/** Connects to a kernel that a gateway has started for us. Ends the kernel on failure. */
export async function openGatewayKernel(created: CreatedKernel, options: StartOptions): Promise<Kernel> {
  const { address, model, executable, enterFolder, isGone, reconnectMs, silenceMs } = created;
  const { resumed = false, outlivesUs = false } = created;
  const process = new GatewayProcess(address, model, { outlivesUs, serverPid: created.serverPid });
  const session = randomUUID();
  const channel = new WebSocketChannel({
    address,
    kernelId: model.id,
    session,
    timeoutMs: reconnectMs,
    silenceMs,
    whyLost: async () => (isGone() ? goneSentence(address) : process.whyLost()),
    interruptUnderWay: () => process.interruptUnderWay,
    onKernelDied: (status) => process.died(status),
  });
  const starting = new AbortController();
  const ended = process.exited.then((exit): never => {
    starting.abort();
    throw endedEarly(exit, process.said);
  });
  ended.catch(() => undefined);
  const stop = (): void => starting.abort(options.signal?.reason);
  options.signal?.addEventListener("abort", stop, { once: true });
  if (options.signal?.aborted) stop();
  if (!resumed) void process.followStart(starting.signal);
  try {
    const opening = channel.open(starting.signal).catch((cause) => {
      throw notReached(address, "connect to the kernel", cause);
    });
    await Promise.race([ended, opening]);
    options.onStage?.("connected");
    const parts = { backend: "gateway", id: model.id, session, channel, process, executable, resumed } as const;
    const kernel = await openJupyterKernel(parts, options);
    if (enterFolder && kernel.info.language === "python") await enter(kernel, options.cwd);
    return kernel;
  } catch (error) {
    await channel.close();
    // A kernel from before may be in the middle of a cell.
    if (!resumed) await process.terminate();
    throw error;
  } finally {
    options.signal?.removeEventListener("abort", stop);
    starting.abort();
  }
}

/** The gateway may have another file system: the kernel enters the folder only if it exists there. */
async function enter(kernel: Kernel, folder: string): Promise<void> {
  const code = `(lambda os, folder: os.path.isdir(folder) and os.chdir(folder))(__import__("os"), ${pythonLiteral(folder)})`;
  for await (const _ of kernel.execute(code, { internal: true }));
}

function goneSentence({ log }: GatewayAddress): string {
  return `The Jupyter gateway that ran the kernel has ended, and the kernel with it. Its log is ${log}.`;
}
