import { setTimeout as sleep } from "node:timers/promises";
import { KernelError } from "../../errors.ts";
import { type GatewayAddress, shownUrl } from "./gateway-address.ts";
import { notReached, refused } from "./gateway-error.ts";
import { ask, type RestReply } from "./rest.ts";

export interface KernelRequest {
  /** The kernelspec's name. */
  readonly name: string;
  /** Variables for the launcher of the kernel. Given any, some gateways give the kernel no others. */
  readonly env: Readonly<Record<string, string>>;
}

/** A kernel as a gateway describes it. */
export interface KernelModel {
  readonly id: string;
  /** Only our own gateway reports it. */
  readonly pid: number | null;
}

const beforeRetryMs = 200;
const lookWithinMs = 5000;
const attempt = "start a kernel";

/** Asks a gateway for a kernel; retries once after a temporary failure of the gateway itself. */
export async function createKernel(
  address: GatewayAddress,
  { name, env }: KernelRequest,
  signal?: AbortSignal,
): Promise<KernelModel> {
  const body = Object.keys(env).length === 0 ? { name } : { name, env };
  const post = (): Promise<RestReply> =>
    unlessAborted(ask(address, { method: "POST", path: "api/kernels", body }), signal, (late) => {
      const id = modelIn(late)?.id;
      if (id !== undefined) void endKernel(address, { id });
    }).catch((cause) => {
      throw notReached(address, attempt, cause);
    });
  let reply = await post();
  if (reply.status >= 500) {
    await sleep(beforeRetryMs);
    reply = await post();
  }
  const model = modelIn(reply);
  if (model === null) throw (await noSuchKernel(address, name)) ?? refused(address, attempt, reply);
  return model;
}

/** The kernel of that id, if the gateway still has it. */
export async function findKernel(address: GatewayAddress, id: string): Promise<KernelModel | null> {
  const signal = AbortSignal.timeout(lookWithinMs);
  const reply = await ask(address, { method: "GET", path: `api/kernels/${encodeURIComponent(id)}`, signal });
  return modelIn(reply);
}

/** A gateway that cannot be reached has no kernels. */
export async function endKernel(address: GatewayAddress, { id }: Pick<KernelModel, "id">): Promise<void> {
  await ask(address, { method: "DELETE", path: `api/kernels/${encodeURIComponent(id)}` }).catch(() => undefined);
}

function modelIn({ status, body }: RestReply): KernelModel | null {
  const {
    id,
    pid,
    execution_state: state,
  } = (body ?? {}) as { id?: unknown; pid?: unknown; execution_state?: unknown };
  const isThere = (status === 201 || status === 200) && state !== "dead";
  return isThere && typeof id === "string" ? { id, pid: typeof pid === "number" ? pid : null } : null;
}

/** Waits instead of hanging up: a cluster would finish the start, and leave a kernel without an owner. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, undo: (late: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(signal?.reason);
      work.then(undo, () => undefined);
    };
    if (signal?.aborted) return stop();
    signal?.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal?.removeEventListener("abort", stop));
  });
}

/** Servers do not report this reason, so we look it up. */
async function noSuchKernel(address: GatewayAddress, name: string): Promise<KernelError | null> {
  const signal = AbortSignal.timeout(lookWithinMs);
  const reply = await ask(address, { method: "GET", path: "api/kernelspecs", signal }).catch(() => null);
  const { kernelspecs } = (reply?.body ?? {}) as { kernelspecs?: object };
  const names = Object.keys(kernelspecs ?? {});
  if (reply?.status !== 200 || names.includes(name)) return null;
  const offer = names.length === 0 ? "It has none at all." : `Choose one that it has: ${names.join(", ")}.`;
  return new KernelError("start-failed", `The gateway at ${shownUrl(address)} has no kernel named ${name}. ${offer}`, {
    details: { kernel: name, kernels: names },
  });
}
