import { UsageError } from "../command/usage-error.ts";

/** A regular expression that was typed; a wrong one is a usage error that names the place it was typed at. */
export function typedPattern(typed: string, flags: string, name: string): RegExp {
  try {
    return new RegExp(typed, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : String(error);
    throw new UsageError(`${name} is no regular expression: ${reason}`);
  }
}
