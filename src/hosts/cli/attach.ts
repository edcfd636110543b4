import { shellWord } from "../../support/shell-word.ts";
import { argumentsOrHelp } from "./command/arguments-or-help.ts";
import type { CommandContext } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { UsageError } from "./command/usage-error.ts";
import { requireTerminal } from "./console.ts";
import { parseRunArguments } from "./run/run-arguments.ts";

const options = { cwd: { type: "string" } } as const;

/** `granary attach NAME` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0)
    throw new UsageError(
      "granary attach takes the name of a session, as in: granary attach etl. See: granary sessions",
    );
  if (context.env.GRANARY_HUB === "never") throw new UsageError(noHub);
  requireTerminal(context, `granary run --session ${shellWord(name)} -c 'print(6*7)'`);
  const folder = values.cwd === undefined ? [] : [`--cwd=${values.cwd}`];
  const parsed = parseRunArguments([`--session=${name}`, ...folder], context.env);
  if (parsed === "help") return exitCodes.ok;
  const { consoleInHub } = await import("./attach/console-in-hub.ts");
  const exitCode = await consoleInHub(parsed, context, { joins: true });
  if (exitCode === null) throw new UsageError(noHub);
  return exitCode;
}

const noHub = "granary attach needs the hub, and GRANARY_HUB or the setting hub.use is never.";

const help = `Opens the console in a session of the hub, such as an agent's.

Usage:
  granary attach NAME [--cwd DIR]

It shows the last cells and who ran them, then the cells of others as they run.
Your cells run in the same Python; the others learn of them with their next
result. Several consoles may share a session. Leaving ends neither Python nor
your running cells.

Examples:
  granary run --session etl -c 'df = load()'
  granary attach etl

granary sessions lists the names. granary console --session NAME starts a
session where there is none yet.

Options:
      --cwd DIR     the session's folder; without it, the current folder, else
                    the only one of that name
  -h, --help        show this
`;
