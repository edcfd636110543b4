import { setImmediate } from "node:timers/promises";
import type { NotebookProgress, NotebookRun } from "../../../execute/notebook/notebook-run.ts";
import { runNotebook } from "../../../execute/run-notebook.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import type { Session } from "../../../session/session.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { say } from "../command/say.ts";
import { outlivesCommands, sayHowLongItLasts } from "../command/session-life.ts";
import { StopRequest } from "../command/stop-request.ts";
import { write } from "../command/write.ts";
import { type NotebookRunArguments, parseNotebookRunArguments } from "./run/notebook-run-arguments.ts";
import { openNotebookRuntime } from "./run/open-notebook-runtime.ts";
import { progressReport } from "./run/progress.ts";
import type { KernelOfRun } from "./run/run-document.ts";
import { type NotebookStreams, openNotebookStreams } from "./run/standard-streams.ts";
import type { StoppedRuns } from "./run/stopped-runs.ts";

/** `granary notebook run` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = await parseNotebookRunArguments(args, context);
  if (parsed === "help") {
    const { notebookRunUsage } = await import("./run/notebook-run-help.ts");
    context.stdout.write(notebookRunUsage);
    return exitCodes.ok;
  }
  if (parsed.listsParameters) {
    const { listParameters } = await import("./parameters/list-parameters.ts");
    return listParameters(parsed, context);
  }
  if (parsed.files.length > 1) {
    const { runSeveral } = await import("./run/run-several.ts");
    return runSeveral(parsed, context);
  }
  using stop = new StopRequest(context);
  await using streams = await openNotebookStreams(parsed, context);
  const { run, notices, kernel } =
    (await inSessionOfHub(parsed, streams, context, stop.signal)) ??
    (await here(parsed, streams, context, stop.signal));
  // The path of a temporary file means nothing to the user.
  const told = { ...run, notices, savedTo: streams.toStdout ? null : run.savedTo };
  await streams.deliver();
  if (parsed.json) {
    const { runDocument } = await import("./run/run-document.ts");
    await write(context.stdout, `${JSON.stringify(runDocument(told, kernel))}\n`);
  } else await tell(told, parsed, streams.toStdout ? { ...context, stdout: context.stderr } : context);
  // A failure of the last write is reported in the next turn of the event loop.
  await setImmediate();
  if (run.status === "cancelled") return stop.exitCode ?? exitCodes.cancelled;
  return exitCodes[run.status];
}

interface Ran {
  readonly run: NotebookRun;
  readonly notices: readonly string[];
  readonly kernel: KernelOfRun;
}

/** A session by name is one of the hub, as for `granary run`; null where there is no hub. */
async function inSessionOfHub(
  parsed: NotebookRunArguments,
  { path, saveTo }: NotebookStreams,
  context: CommandContext,
  signal: AbortSignal,
): Promise<Ran | null> {
  if (parsed.session === undefined || context.env.GRANARY_HUB === "never") return null;
  const { runNotebookInHub } = await import("./run/run-in-hub.ts");
  using progress = progressReport(context, parsed);
  const end = await runNotebookInHub(parsed, { context, signal, progress, path, saveTo: saveTo ?? null });
  return end && { run: end.run, notices: end.run.notices, kernel: { ...end, kernel: { state: end.state } } };
}

/** In a kernel of this process. */
async function here(
  parsed: NotebookRunArguments,
  { path, saveTo }: NotebookStreams,
  context: CommandContext,
  signal: AbortSignal,
): Promise<Ran> {
  await using runtime = await openNotebookRuntime(parsed, context, {
    kernels: parsed.session === undefined ? undefined : "reuse",
  });
  const session = runtime.session(parsed.session);
  const stopped = await stoppedRuns(parsed, runtime, context);
  if (parsed.resume && stopped !== null) await recall(stopped, session, signal);
  const run = await runWithProgress(parsed, context, (onProgress) =>
    runNotebook(session, path, {
      ...choices(parsed),
      saveTo,
      maxCellMegabytes: runtime.settings.notebook.maxCellMegabytes,
      signal,
      onProgress,
    }),
  );
  await stopped?.keep(session.shared, path, run);
  const { generation } = session.shared;
  const kernel = { generation, kernel: { state: session.shared.kernel?.state ?? "dead" } };
  return { run, notices: [...kernelNotices(parsed, runtime, run), ...run.notices], kernel };
}

async function runWithProgress(
  { json }: NotebookRunArguments,
  context: CommandContext,
  run: (onProgress: (progress: NotebookProgress) => void) => Promise<NotebookRun>,
): Promise<NotebookRun> {
  using progress = progressReport(context, { json });
  return await run((step) => progress.take(step));
}

function choices({ cells, from, resume, timeoutMs, allowErrors, parameters, recordTimes }: NotebookRunArguments) {
  return { cells, from, resume, timeoutMs, allowErrors, parameters, recordTimes };
}

async function tell(run: NotebookRun, { timeoutMs }: NotebookRunArguments, context: CommandContext): Promise<void> {
  const { stdout, stderr, cwd } = context;
  const { sayFailed, sayRan } = await import("../../../execute/notebook/run-summary.ts");
  for (const notice of run.notices) await say(stderr, `granary: ${notice}\n`);
  if (run.status === "ok") await say(stdout, `${sayRan(run, cwd)}\n`);
  else await say(stderr, `${sayFailed(run, cwd, timeoutMs)}\n`);
}

/** Null where no kernel outlives the command. */
async function stoppedRuns(
  { session }: NotebookRunArguments,
  runtime: Runtime,
  { env }: CommandContext,
): Promise<StoppedRuns | null> {
  if (session === undefined || !outlivesCommands(runtime.backend, runtime.site)) return null;
  const { StoppedRuns } = await import("./run/stopped-runs.ts");
  return new StoppedRuns(granaryHome(env), { session, cwd: runtime.cwd });
}

/** The session knows its kernel only after a cell; an empty cell finds the kernel that an earlier command left. */
async function recall(stopped: StoppedRuns, session: Session, signal: AbortSignal): Promise<void> {
  await session.run("", { signal, uncaptured: true }).result;
  await stopped.recall(session.shared);
}

/** A user who names a session expects its variables. */
function kernelNotices(
  { session }: NotebookRunArguments,
  runtime: Runtime,
  { kernel }: NotebookRun,
): readonly string[] {
  const sentence = session === undefined || kernel === null ? null : sayHowLongItLasts(session, kernel, runtime);
  return sentence === null ? [] : [sentence];
}
