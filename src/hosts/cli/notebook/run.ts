import { setImmediate } from "node:timers/promises";
import type { NotebookProgress, NotebookRun } from "../../../execute/notebook/notebook-run.ts";
import { runNotebook } from "../../../execute/run-notebook.ts";
import type { Granary } from "../../../runtime/granary.ts";
import type { Lease } from "../../../session/session.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import type { Surroundings } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { outlivesCommands, sayHowLongItLasts } from "../command/session-life.ts";
import { StopRequest } from "../command/stop-request.ts";
import { say, write } from "../command/write.ts";
import { type NotebookRunArguments, parseNotebookRunArguments } from "./run/notebook-run-arguments.ts";
import { openRuntime } from "./run/open-notebook-runtime.ts";
import { progressReport } from "./run/progress.ts";
import { openStreams } from "./run/standard-streams.ts";
import type { StoppedRuns } from "./run/stopped-runs.ts";

/** `granary notebook run` */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const parsed = await parseNotebookRunArguments(args, surroundings);
  if (parsed === "help") {
    const { runHelp } = await import("./run/notebook-run-help.ts");
    surroundings.stdout.write(runHelp);
    return exitCodes.ok;
  }
  if (parsed.listsParameters) {
    const { listParameters } = await import("./parameters/list-parameters.ts");
    return listParameters(parsed, surroundings);
  }
  if (parsed.files.length > 1) {
    const { runSeveral } = await import("./run/run-several.ts");
    return runSeveral(parsed, surroundings);
  }
  using stop = new StopRequest(surroundings);
  await using streams = await openStreams(parsed, surroundings);
  await using granary = await openRuntime(parsed, surroundings, { keepsKernels: parsed.session !== undefined });
  const lease = granary.session(parsed.session);
  const { path, saveTo } = streams;
  const stopped = await stoppedRuns(parsed, granary, surroundings);
  if (parsed.resume && stopped !== null) await recall(stopped, lease, stop.signal);
  const run = await runWithProgress(parsed, surroundings, (onProgress) =>
    runNotebook(lease, path, {
      ...choices(parsed),
      saveTo,
      maxCellMegabytes: granary.settings.notebook.maxCellMegabytes,
      signal: stop.signal,
      onProgress,
    }),
  );
  await stopped?.keep(lease.session, path, run);
  const notices = [...kernelNotices(parsed, granary, run), ...run.notices];
  // A temporary file is nobody's.
  const told = { ...run, notices, savedTo: streams.toStdout ? null : run.savedTo };
  await streams.deliver();
  if (parsed.json) {
    const { runDocument } = await import("./run/run-document.ts");
    await write(surroundings.stdout, `${JSON.stringify(runDocument(told, lease.session))}\n`);
  } else await tell(told, parsed, streams.toStdout ? { ...surroundings, stdout: surroundings.stderr } : surroundings);
  // What went wrong with the last write is told in the next turn of the event loop.
  await setImmediate();
  if (run.status === "cancelled") return stop.exitCode ?? exitCodes.cancelled;
  return exitCodes[run.status];
}

async function runWithProgress(
  { json }: NotebookRunArguments,
  surroundings: Surroundings,
  run: (onProgress: (progress: NotebookProgress) => void) => Promise<NotebookRun>,
): Promise<NotebookRun> {
  using progress = progressReport(surroundings, { json });
  return await run((step) => progress.take(step));
}

function choices({ cells, from, resume, timeoutMs, allowErrors, parameters, recordTimes }: NotebookRunArguments) {
  return { cells, from, resume, timeoutMs, allowErrors, parameters, recordTimes };
}

async function tell(run: NotebookRun, { timeoutMs }: NotebookRunArguments, surroundings: Surroundings): Promise<void> {
  const { stdout, stderr, cwd } = surroundings;
  const { sayFailed, sayRan } = await import("../../../execute/notebook/run-summary.ts");
  for (const notice of run.notices) await say(stderr, `granary: ${notice}\n`);
  if (run.status === "ok") await say(stdout, `${sayRan(run, cwd)}\n`);
  else await say(stderr, `${sayFailed(run, cwd, timeoutMs)}\n`);
}

/** Null where no kernel outlives the command. */
async function stoppedRuns(
  { session }: NotebookRunArguments,
  granary: Granary,
  { env }: Surroundings,
): Promise<StoppedRuns | null> {
  if (session === undefined || !outlivesCommands(granary.backend, granary.site)) return null;
  const { StoppedRuns } = await import("./run/stopped-runs.ts");
  return new StoppedRuns(granaryHome(env), { session, cwd: granary.cwd });
}

/** Which kernel an earlier command has left is known when the session has it: for that, a cell with nothing in it. */
async function recall(stopped: StoppedRuns, lease: Lease, signal: AbortSignal): Promise<void> {
  await lease.run("", { signal, uncaptured: true }).result;
  await stopped.recall(lease.session);
}

/** Whoever names a session expects its variables. */
function kernelNotices(
  { session }: NotebookRunArguments,
  granary: Granary,
  { kernel }: NotebookRun,
): readonly string[] {
  const sentence = session === undefined || kernel === null ? null : sayHowLongItLasts(session, kernel, granary);
  return sentence === null ? [] : [sentence];
}
