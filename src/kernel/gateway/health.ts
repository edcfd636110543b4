import type { GatewayAddress } from "./gateway-address.ts";
import { ask } from "./rest.ts";

/** A loop that is busy with a large message answers late, and is well. */
const answerWithinMs = 10_000;

/** Whether a gateway is there, is ours, and works. */
export async function isHealthy(address: GatewayAddress, signal?: AbortSignal): Promise<boolean> {
  const timeout = AbortSignal.timeout(answerWithinMs);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const reply = await ask(address, { method: "GET", path: "api/kernelspecs", signal: either }).catch(() => null);
  return reply?.status === 200;
}
