import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { NotebookProgress } from "../../../../execute/notebook/notebook-run.ts";
import { type NotebooksRun, runEachNotebook, usualJobs } from "../../../../execute/run-each-notebook.ts";
import { runNotebook } from "../../../../execute/run-notebook.ts";
import type { SharedSession } from "../../../../session/shared-session.ts";
import { makeFolderWithin } from "../../../../support/files/make-folder.ts";
import { systemReason } from "../../../../support/files/system-reason.ts";
import { isGranaryError } from "../../../../support/granary-error.ts";
import type { CommandContext } from "../../command/command-context.ts";
import { exitCodeOfError, exitCodes } from "../../command/exit-codes.ts";
import { StopRequest } from "../../command/stop-request.ts";
import { saveWithin } from "../../command/typed-file.ts";
import { UsageError } from "../../command/usage-error.ts";
import { write } from "../../command/write.ts";
import { inFolder } from "../one-file.ts";
import type { NotebookRunArguments } from "./notebook-run-arguments.ts";
import { openNotebookRuntime } from "./open-notebook-runtime.ts";
import { severalProgress } from "./several-progress.ts";

/**
 * `granary notebook run A B C…`: each runs as it would alone, with the settings and the Python of its own folder. So each has
 * a runtime of its own, and the number of jobs is the only limit.
 */
export async function runSeveral(parsed: NotebookRunArguments, context: CommandContext): Promise<number> {
  const { files, json, jobs = usualJobs() } = parsed;
  const outFolder = await folderForResults(parsed, context);
  using stop = new StopRequest(context);
  const sessions: SharedSession[] = [];
  const runs = await (async () => {
    using progress = severalProgress(context, { json, files });
    return await runEachNotebook(
      files.map((file) => inFolder(file, context)),
      {
        jobs,
        signal: stop.signal,
        run: (path, index) => runOne(path, index, (step) => progress.take(files[index] as string, step)),
        onEnd: ({ status, durationMs }, index) => progress.end(files[index] as string, status, durationMs),
      },
    );
  })();
  const named = { ...runs, notebooks: runs.notebooks.map((run, index) => ({ ...run, path: files[index] as string })) };
  if (json) {
    const { runsDocument } = await import("./run-document.ts");
    await write(context.stdout, `${JSON.stringify(runsDocument(named, sessions))}\n`);
  } else await tell(named, parsed, context);
  // A failure of the last write is reported in the next turn of the event loop.
  await setImmediate();
  if (stop.exitCode !== null) return stop.exitCode;
  return exitCodeOfRuns(runs);

  async function runOne(path: string, index: number, onProgress: (progress: NotebookProgress) => void) {
    const file = files[index] as string;
    await using runtime = await openNotebookRuntime({ ...parsed, file }, context);
    const session = runtime.session();
    sessions[index] = session.shared;
    const { timeoutMs, allowErrors, parameters, recordTimes } = parsed;
    return await runNotebook(session, path, {
      timeoutMs,
      allowErrors,
      parameters,
      recordTimes,
      saveTo: outFolder === undefined ? undefined : join(outFolder, basename(path)),
      maxCellMegabytes: runtime.settings.notebook.maxCellMegabytes,
      signal: stop.signal,
      onProgress,
    });
  }
}

/** That of the first notebook which did not succeed, as it would end alone. */
function exitCodeOfRuns({ status, notebooks }: NotebooksRun): number {
  const first = notebooks.find((each) => each.status !== "ok");
  if (first?.run !== null || first.failure === null) return exitCodes[status];
  return exitCodeOfError(first.failure.code);
}

/** With several notebooks, `--out` names a folder, which is created. */
async function folderForResults(
  { out, files }: NotebookRunArguments,
  context: CommandContext,
): Promise<string | undefined> {
  if (out === undefined) return undefined;
  const names = files.map((file) => basename(file));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`Two of the notebooks are named ${twice}: --out has room for one.`);
  const folder = inFolder(out, context);
  try {
    await makeFolderWithin(folder, await saveWithin(folder, context));
  } catch (error) {
    if (isGranaryError(error)) throw error;
    throw new UsageError(`With several notebooks, --out names a folder. ${out} cannot be one: ${systemReason(error)}.`);
  }
  return folder;
}

async function tell(
  { notebooks }: NotebooksRun,
  { timeoutMs }: NotebookRunArguments,
  { stdout, stderr, cwd }: CommandContext,
): Promise<void> {
  const { sayFailed, sayOutcomes } = await import("../../../../execute/notebook/run-summary.ts");
  for (const { path, run, status, failure } of notebooks) {
    for (const notice of run?.notices ?? []) await write(stderr, `granary: ${path}: ${notice}\n`);
    if (status === "ok") continue;
    // The table has the first line already.
    const why = run === null ? restOf(failure?.message ?? "") : sayFailed(run, cwd, timeoutMs);
    if (why !== "") await write(stderr, `\n${path}\n${why}\n`);
  }
  await write(stdout, `${sayOutcomes(notebooks)}\n`);
}

function restOf(message: string): string {
  return message.split("\n").slice(1).join("\n");
}
