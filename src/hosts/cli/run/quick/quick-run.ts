import { type CommandContext, processContext } from "../../command/command-context.ts";
import { StopRequest } from "../../command/stop-request.ts";
import { PlainReport } from "../../report/plain-report.ts";
import { runAndReport } from "../run-and-report.ts";
import { quickArguments } from "./quick-arguments.ts";

/**
 * `granary run --session NAME -c CODE` without a terminal, as agents and scripts call it, with as little code as possible: Node takes
 * longer to load the full command than the hub takes to run a cell. Null where the full command is needed.
 */
export function quickRun([command, ...argv]: readonly string[]): Promise<number> | null {
  const context = processContext;
  const args = command === "run" ? quickArguments(argv) : null;
  const isWatched = (["stdin", "stdout", "stderr"] as const).some((stream) => context.isTerminal(stream));
  if (args === null || isWatched) return null;
  const stop = new StopRequest(context, "later");
  const exitCode = runAndReport(args, { context, stop, person: null, report: new PlainReport(context) });
  // Node takes a millisecond to make the streams, in which the hub runs the cell.
  setImmediate(() => {
    stop.watchOutput();
    context.stderr.on("error", () => {});
  });
  return exitCode.then(async (code) => endAtOnce(await withLostOutput(stop, code, context), context));
}

async function withLostOutput({ lostOutput }: StopRequest, code: number, context: CommandContext): Promise<number> {
  if (lostOutput === null) return code;
  const { exitCodeOfLostOutput } = await import("../../command/lost-output.ts");
  return exitCodeOfLostOutput(lostOutput, code, context);
}

/** Without the time that Node takes to clear up; a reader that is behind gets all of its output first. */
function endAtOnce(code: number, { stdout, stderr, exit }: CommandContext): number {
  if (stdout.writableLength === 0 && stderr.writableLength === 0) exit(code);
  return code;
}
