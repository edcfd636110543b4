import { UsageError } from "../command/usage-error.ts";

/** Compiles a typed regular expression; a usage error names the option it came from. */
export function typedPattern(typed: string, flags: string, name: string): RegExp {
  try {
    return new RegExp(typed, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : String(error);
    throw new UsageError(`${name} is no regular expression: ${reason}`);
  }
}
