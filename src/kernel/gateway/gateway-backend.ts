import { isGranaryError } from "../../support/granary-error.ts";
import { newKernelMark, newLastingMark, withMark } from "../../support/process/kernel-mark.ts";
import { isStillRunning } from "../../support/process/process-identity.ts";
import { KernelError } from "../errors.ts";
import type { Availability, KernelBackend, StartOptions } from "../kernel.ts";
import { openGatewayKernel } from "./open-gateway-kernel.ts";
import { createKernel, endKernel, findKernel, type KernelModel } from "./rest/create-kernel.ts";
import { type GatewayAddress, shownUrl } from "./rest/gateway-address.ts";
import { offeredKernels } from "./rest/offered-kernels.ts";
import { folderFor } from "./shared/gateway-folder.ts";
import { findGatewayInterpreter } from "./shared/gateway-modules.ts";
import type { GatewayRecord } from "./shared/gateway-record.ts";
import { KeptKernelList } from "./shared/kept-kernels.ts";
import { acquireSharedGateway } from "./shared/shared-gateway.ts";
import { type GatewayLimits, logIn } from "./shared/start-gateway.ts";

export interface GatewayBackendOptions {
  /** A gateway or server that runs already. Without it, one is shared by all processes on this machine. */
  readonly external?: GatewayAddress | undefined;
  /** Granary's own folder, which holds the shared gateways of this machine. */
  readonly home: string;
  /** The setting `python.sharedGateway`: false is refused where the shared gateway would be used. */
  readonly sharedGateway?: boolean | undefined;
  /** The name of a kernelspec. */
  readonly kernel?: string | undefined;
  /** The Python of Granary's own environment, which may have a gateway where the project's Python has none. */
  readonly managedInterpreter?: string | undefined;
  /** Of the shared gateway only. */
  readonly keepAs?: KeepAs | undefined;
  /** For an external gateway that starts kernels elsewhere: `KERNEL_USERNAME`, `KERNEL_NAMESPACE` and the like. */
  readonly kernelVariables?: Readonly<Record<string, string>> | undefined;
  readonly limits?: Partial<GatewayLimits> | undefined;
  /** How long to reconnect after a broken connection, before the kernel counts as lost. */
  readonly reconnectSeconds?: number | undefined;
  /** After so long a silence Granary pings the gateway; after as long again, the connection counts as broken. */
  readonly silenceSeconds?: number | undefined;
}

/**
 * A name under which a kernel stays when it is closed. The next start with that name joins the kernel, unless it was unused
 * for so long that it was ended. `anew` ends that kernel and starts a new one in its place.
 */
interface KeepAs {
  readonly name: string;
  readonly anew: boolean;
}

/** Long enough to reconnect after a broken connection. */
const defaultLimits: GatewayLimits = { unusedKernelSeconds: 300, idleSeconds: 900 };
const defaultReconnectSeconds = 30;
/** A healthy server that is busy with a large message answers late. */
const defaultSilenceSeconds = 20;
const usualKernel = "python3";

/** Kernels behind a Jupyter gateway: Kernel Gateway, jupyter_server, JupyterHub, Enterprise Gateway. */
export function createGatewayBackend(options: GatewayBackendOptions): KernelBackend {
  const { external } = options;
  const backend = external ? externalBackend(external, options) : sharedBackend(options);
  return { ...backend, start: (start) => backend.start(start).catch((error) => Promise.reject(inTime(start, error))) };
}

/** After the signal, any error is a timeout. */
function inTime({ signal }: StartOptions, error: unknown): unknown {
  if (!signal?.aborted || isGranaryError(error, "start-timeout")) return error;
  const sentence = "The kernel did not start in time. Give it more time with python.startSeconds.";
  return new KernelError("start-timeout", sentence, { cause: error });
}

function externalBackend(address: GatewayAddress, options: GatewayBackendOptions): KernelBackend {
  const name = options.kernel ?? usualKernel;
  return {
    name: "gateway",
    probe: ({ signal }) => asAvailability(() => offeredKernels(address, signal)),
    async start(start) {
      const env = kernelVariables(options.kernelVariables);
      const model = await createKernel(address, { name, env }, start.signal);
      start.onStage?.("kernel created");
      const executable = `${name} at ${shownUrl(address)}`;
      const connection = { address, model, serverPid: null, isGone: () => false, ...timeoutsOf(options) };
      return openGatewayKernel({ ...connection, executable, enterFolder: true }, start);
    },
  };
}

function sharedBackend(options: GatewayBackendOptions): KernelBackend {
  const { home, managedInterpreter, keepAs, kernel: name = usualKernel } = options;
  const limits = { ...defaultLimits, ...options.limits };

  async function acquire({ interpreter, env, signal, onStage }: StartOptions): Promise<GatewayRecord> {
    const gatewayInterpreter = await findGatewayInterpreter({ interpreter, managedInterpreter, env, signal });
    onStage?.("modules found");
    const record = await acquireSharedGateway({ home, interpreter, gatewayInterpreter, env, limits, signal });
    onStage?.(`gateway ready at ${record.url}`);
    return record;
  }

  return {
    name: "gateway",
    probe: ({ interpreter, env, signal }) =>
      asAvailability(async () => {
        requireShared(options);
        await findGatewayInterpreter({ interpreter, managedInterpreter, env, signal });
      }),
    async start(start) {
      requireShared(options);
      const { interpreter, cwd, env, signal, onStage } = start;
      const folder = folderFor(home, interpreter, env);
      const log = logIn(folder);
      const marked = withMark(env, keepAs === undefined ? newKernelMark() : newLastingMark());
      const request = { name, env: { KERNEL_GRANARY: JSON.stringify({ cwd, env: marked }) } };
      let record = await acquire(start);
      let address: GatewayAddress = { ...record, log };
      const create = (): Promise<KernelModel> =>
        createKernel(address, request, signal).catch(async (error) => {
          // The gateway may just have reached its idle limit. With any other problem it stays, because others use it.
          if (isStillRunning(record)) throw error;
          record = await acquire(start);
          address = { ...record, log };
          return createKernel(address, request, signal);
        });
      let resumed = false;
      const findOrCreate = async (id: string | null): Promise<KernelModel> => {
        const found = id === null ? null : await findKernel(address, id).catch(() => null);
        resumed = found !== null && !keepAs?.anew;
        if (found !== null && !resumed) await endKernel(address, found);
        return found !== null && resumed ? found : create();
      };
      const outlivesUs = keepAs !== undefined;
      const model = await (outlivesUs
        ? new KeptKernelList(folder).update(`${name} ${keepAs.name}`, signal, findOrCreate)
        : create());
      onStage?.(resumed ? "kernel found" : "kernel created");
      const executable = name === usualKernel ? interpreter : name;
      const isGone = (): boolean => !isStillRunning(record);
      const connection = { address, model, serverPid: record.pid, isGone, ...timeoutsOf(options) };
      return openGatewayKernel({ ...connection, executable, enterFolder: false, resumed, outlivesUs }, start);
    },
  };
}

function timeoutsOf(options: GatewayBackendOptions): { readonly reconnectMs: number; readonly silenceMs: number } {
  return {
    reconnectMs: 1000 * (options.reconnectSeconds ?? defaultReconnectSeconds),
    silenceMs: 1000 * (options.silenceSeconds ?? defaultSilenceSeconds),
  };
}

function requireShared({ sharedGateway = true }: GatewayBackendOptions): void {
  if (!sharedGateway) {
    const remedy = "Set python.sharedGateway to true, or choose another python.backend.";
    throw new KernelError("start-failed", `Shared Python gateway required; local gateways are disabled. ${remedy}`);
  }
}

/** A gateway drops variables with other names; and given any, it does not pass on its own. */
function kernelVariables(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith("KERNEL_")));
}

/** Runs a check. The last sentence of its error is the remedy. */
async function asAvailability(check: () => Promise<unknown>): Promise<Availability> {
  try {
    await check();
    return { available: true };
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    const [reason, remedy] = splitRemedy(error);
    return { available: false, reason, remedy };
  }
}

/** The last sentence of an error is its remedy. */
function splitRemedy({ message }: KernelError): readonly [reason: string, remedy: string] {
  const at = message.lastIndexOf(". ");
  return at < 0 ? [message, ""] : [message.slice(0, at + 1), message.slice(at + 2)];
}
