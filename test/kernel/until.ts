import { setTimeout as sleep } from "node:timers/promises";

/** An hour of work beside other programs has its slow moments. */
const timeoutMs = process.env.GRANARY_SOAK_MINUTES === undefined ? 20_000 : 300_000;
/** Often enough; a condition may ask a server or list all processes, which costs more than the wait. */
const askAgainMs = 20;

/** Waits until a condition holds. Its description is the failure message of the test. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + timeoutMs;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(`Waited in vain until ${what}.`);
    await sleep(askAgainMs);
  }
}
