import type { CommandContext } from "./command-context.ts";
import { type Options, type Parsed, parseWithNumbers } from "./parse-arguments.ts";
import { UsageError } from "./usage-error.ts";

const helpOption = { help: { type: "boolean", short: "h" } } as const;

/** How every small command begins: what was typed; or null, when that was `--help` and it has been shown. */
export function argumentsOrHelp<const O extends Options>(
  args: readonly string[],
  options: O,
  help: string,
  { stdout }: CommandContext,
): Parsed<O> | null {
  const parsed: Parsed<typeof helpOption> = parseWithNumbers(args, { ...options, ...helpOption });
  if (!parsed.values.help) return parsed as Parsed<O>;
  stdout.write(help);
  return null;
}

export function refusePositionals(command: string, positionals: readonly string[]): void {
  if (positionals.length === 0) return;
  throw new UsageError(`granary ${command} takes no arguments, but got ${positionals.join(" ")}.`);
}
