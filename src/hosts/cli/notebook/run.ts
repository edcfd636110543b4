import { setImmediate } from "node:timers/promises";
import type { NotebookProgress, NotebookRun } from "../../../execute/notebook/notebook-run.ts";
import { runNotebook } from "../../../execute/run-notebook.ts";
import { exitCodes } from "../exit-codes.ts";
import { StopRequest } from "../stop-request.ts";
import type { Surroundings } from "../surroundings.ts";
import { write } from "../write.ts";
import { inFolder } from "./one-file.ts";
import { openRuntime } from "./open-runtime.ts";
import { progressReport } from "./progress.ts";
import { type NotebookRunArguments, parseNotebookRunArguments } from "./run-arguments.ts";

/** `granary notebook run` */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const parsed = parseNotebookRunArguments(args);
  if (parsed === "help") {
    const { runHelp } = await import("./run-help.ts");
    surroundings.stdout.write(runHelp);
    return exitCodes.ok;
  }
  using stop = new StopRequest(surroundings);
  await using granary = await openRuntime(parsed, surroundings);
  const lease = granary.session(parsed.session);
  const run = await runWithProgress(parsed, surroundings, (onProgress) =>
    runNotebook(lease, inFolder(parsed.file, surroundings), {
      ...choices(parsed, surroundings),
      maxCellMegabytes: granary.settings.notebook.maxCellMegabytes,
      signal: stop.signal,
      onProgress,
    }),
  );
  const notices = [...kernelNotices(parsed), ...run.notices];
  if (parsed.json) {
    const { runDocument } = await import("./run-document.ts");
    await write(surroundings.stdout, `${JSON.stringify(runDocument({ ...run, notices }, lease.session))}\n`);
  } else await tell({ ...run, notices }, parsed, surroundings);
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

function choices(parsed: NotebookRunArguments, surroundings: Surroundings) {
  const { cells, from, resume, timeoutMs, allowErrors, parameters, out, recordTimes } = parsed;
  const saveTo = out === undefined ? undefined : inFolder(out, surroundings);
  return { cells, from, resume, timeoutMs, allowErrors, parameters, saveTo, recordTimes };
}

async function tell(run: NotebookRun, { timeoutMs }: NotebookRunArguments, surroundings: Surroundings): Promise<void> {
  const { stdout, stderr, cwd } = surroundings;
  const { sayFailed, sayRan } = await import("../../../execute/notebook/run-summary.ts");
  for (const notice of run.notices) await write(stderr, `granary: ${notice}\n`);
  if (run.status === "ok") await write(stdout, `${sayRan(run, cwd)}\n`);
  else await write(stderr, `${sayFailed(run, cwd, timeoutMs)}\n`);
}

/** Whoever names a session expects its variables. */
function kernelNotices({ session }: NotebookRunArguments): readonly string[] {
  if (session === undefined) return [];
  return [
    `The session ${session} is this command's own: kernels of the embedded runner end with the process that started them.`,
  ];
}
