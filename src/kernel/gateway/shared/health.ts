import { deadlineAfter } from "../../../support/deadline.ts";
import type { GatewayAddress } from "../rest/gateway-address.ts";
import { ask } from "../rest/rest.ts";

/** A healthy gateway that is busy with a large message answers late. */
const answerWithinMs = 10_000;

/** Whether a gateway exists, is ours, and works. */
export async function isHealthy(address: GatewayAddress, signal?: AbortSignal): Promise<boolean> {
  using deadline = deadlineAfter(answerWithinMs, signal);
  const request = { method: "GET", path: "api/kernelspecs", signal: deadline.signal } as const;
  const reply = await ask(address, request).catch(() => null);
  return reply?.status === 200;
}
