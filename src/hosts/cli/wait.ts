import type { WaitedExecution } from "../../hub/server/session-requests.ts";
import { exitStatusOf } from "../../session/cell/exit-status.ts";
import type { ExecutionEvent, ExecutionStatus } from "../../session/execution/execution.ts";
import type { Gap, Logged } from "../../session/execution/execution-log.ts";
import type { Failure } from "../../session/failure.ts";
import { argumentsOrHelp } from "./command/arguments-or-help.ts";
import type { CommandContext } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { say } from "./command/say.ts";
import { StopRequest } from "./command/stop-request.ts";
import { UsageError } from "./command/usage-error.ts";
import { write } from "./command/write.ts";
import { askRunningHub } from "./hub/hub-control.ts";

const options = { json: { type: "boolean" } } as const;

/** `granary wait ID` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  // A run of several cells prints an id for each, and "$id" has all of them.
  const ids = positionals.flatMap((typedId) => typedId.split(/\s+/)).filter((id) => id !== "");
  if (ids.length === 0) throw new UsageError("granary wait takes the id of an execution, as in: granary wait run-7");
  using stop = new StopRequest(context);
  let exitCode: number = exitCodes.ok;
  for (const id of ids) {
    const waited = await askRunningHub<WaitedExecution>(
      context,
      "wait",
      { id },
      { signal: stop.signal, onEvent: (logged) => (values.json ? undefined : show(logged as never, context)) },
    );
    if (stop.reason !== null) return stop.exitCode ?? exitCodes.cancelled;
    if (waited === null) throw new UsageError(`There is no execution ${id}: no hub runs.`);
    const { result, ...execution } = waited;
    const { status, output, error, failure, durationMs, truncation, notices } = result;
    const document = { ...execution, status, output, error, failure, durationMs, truncation, notices };
    if (values.json) await write(context.stdout, `${JSON.stringify(document)}\n`);
    else {
      const sentences = [...why(id, status, failure), ...notices];
      for (const sentence of sentences) await say(context.stderr, `granary: ${sentence}\n`);
    }
    if (exitCode === exitCodes.ok) exitCode = (error && exitStatusOf(error)) ?? exitCodes[status];
  }
  return exitCode;
}

function why(id: string, status: ExecutionStatus, failure: Failure | null): readonly string[] {
  if (status === "skipped") return [`${id} was skipped: the cell before it in the same run did not succeed.`];
  return failure === null ? [] : [failure.message];
}

/** Shows the output so far, and what follows. */
function show({ event }: Logged<ExecutionEvent | Gap>, { stdout, stderr }: CommandContext): void | Promise<void> {
  switch (event.type) {
    case "text":
      return write(event.name === "stderr" ? stderr : stdout, event.text);
    case "block":
      // As `granary run` prints them.
      return write(event.isError ? stderr : stdout, event.text);
    case "so-far":
      return write(stdout, event.text);
    case "gap":
      return say(
        stderr,
        `granary: ${event.events} events were left out${event.artifact && `; all output: ${event.artifact}`}\n`,
      );
    default:
      return undefined;
  }
}

const help = `Waits for an execution in the hub, and shows its output from the beginning.

Usage:
  granary wait ID... [--json]

Example:
  id=$(granary run --session etl --background -c 'df = load()')
  granary wait "$id"

Ctrl-C ends the wait and not the execution; granary sessions interrupt NAME ends
that.

Options:
      --json        print one JSON document for each, at its end; for an error,
                    { status: failed, error: { code, message } }
  -h, --help        show this

Exit codes, of the first execution that did not succeed:
  0 success      1 it failed or was skipped      2 wrong usage
  3 Granary failed
  124 timed out      130 it was interrupted, or the wait was      sys.exit(N): N
`;
