import type { ExecutionFacts } from "../../hub/server/session-requests.ts";
import type { SessionFacts } from "../../hub/session-facts.ts";
import { argumentsOrHelp } from "./command/arguments-or-help.ts";
import type { CommandContext } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { say } from "./command/say.ts";
import { UsageError } from "./command/usage-error.ts";
import { write } from "./command/write.ts";
import { askRunningHub } from "./hub/hub-control.ts";
import { sessionTable } from "./hub/session-table.ts";
import { typedSession } from "./sessions/typed-session.ts";

const options = { json: { type: "boolean" }, cwd: { type: "string" } } as const;

interface Looked {
  readonly session: SessionFacts;
  readonly execution: ExecutionFacts | null;
  /** Null when nothing runs. */
  readonly text: string | null;
}

/** `granary look NAME` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError("granary look takes the name of one session.");
  const wish = typedSession(name, values.cwd, context, { onlyLooks: true });
  const looked = await askRunningHub<Looked>(context, "look", wish);
  if (looked === null) throw new UsageError(`There is no session ${name}: no hub runs. See: granary hub --help`);
  if (values.json) await write(context.stdout, `${JSON.stringify(looked)}\n`);
  else await say(context.stdout, textOf(looked));
  return exitCodes.ok;
}

function textOf({ session, text }: Looked): string {
  return `${sessionTable([session], Date.now())}\n${text ?? "Nothing runs."}\n`;
}

const help = `Looks inside a session of the hub without disturbing it: the line that the
running cell is on, its processes with CPU and memory, the end of its output.

Usage:
  granary look NAME [--cwd DIR] [--json]

Example:
  granary run --session train --background train.py
  granary look train

Options:
      --cwd DIR     the folder of the session; without it, the current folder,
                    else the only one of that name
      --json        print one JSON document, for programs; for an error,
                    { status: failed, error: { code, message } }
  -h, --help        show this

Exit codes:
  0 done      2 wrong usage, or no such session      3 Granary failed
`;
