import { KernelError } from "../errors.ts";
import type { Availability } from "../kernel.ts";

/** What a check finds out by not throwing, or by throwing a sentence whose last part is the remedy. */
export async function asAvailability(check: () => Promise<unknown>): Promise<Availability> {
  try {
    await check();
    return { available: true };
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    const [reason, remedy] = splitRemedy(error);
    return { available: false, reason, remedy };
  }
}

/** The last sentence of an error is what can be done about it. */
function splitRemedy({ message }: KernelError): readonly [reason: string, remedy: string] {
  const at = message.lastIndexOf(". ");
  return at < 0 ? [message, ""] : [message.slice(0, at + 1), message.slice(at + 2)];
}
