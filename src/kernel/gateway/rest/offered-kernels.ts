import type { GatewayAddress } from "./gateway-address.ts";
import { notReached, refused } from "./gateway-error.ts";
import { ask } from "./rest.ts";

/** A kernelspec that a gateway can start. */
export interface OfferedKernel {
  readonly name: string;
  readonly language: string;
}

/** All kernelspecs of a gateway. */
export async function offeredKernels(address: GatewayAddress, signal?: AbortSignal): Promise<readonly OfferedKernel[]> {
  const attempt = "list the kernels it offers";
  const reply = await ask(address, { method: "GET", path: "api/kernelspecs", signal }).catch((cause) => {
    throw notReached(address, attempt, cause);
  });
  if (reply.status !== 200) throw refused(address, attempt, reply);
  const { kernelspecs } = Object(reply.body) as { readonly kernelspecs?: unknown };
  return Object.entries(Object(kernelspecs) as object).map(([name, { spec } = Object()]) => ({
    name,
    language: String(Object(spec).language ?? ""),
  }));
}
