import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import type { NotebookRun } from "../../execute/notebook/notebook-run.ts";
import { sayChanged, sayFailed, sayRan, sayVerified } from "../../execute/notebook/run-summary.ts";
import { runNotebook } from "../../execute/run-notebook.ts";
import type { Session } from "../../session/session.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { fileOf } from "../code/keep.ts";
import { textBytes } from "../code/result-budget.ts";
import type { ToolContext } from "../context/tool-context.ts";
import { workingFolder } from "../context/working-folder.ts";
import type { NotebookDetails, NotebookRunDetails } from "../definition/details.ts";
import type { ToolCall, ToolResult } from "../definition/tool.ts";
import { Updates } from "../definition/updates.ts";
import { type NamedFile, namedFile } from "../files/named-file.ts";
import { makeWay } from "../files/write-text-file.ts";
import { capturedContent } from "./captured-content.ts";
import { takeRun } from "./run-content.ts";
import { notebookRunOptions, type RunInput } from "./run-input.ts";
import { RunProgress } from "./run-progress.ts";

export interface RunCall extends RunInput {
  readonly action: "run" | "verify";
}

/** Runs a notebook in a session, which keeps the variables; or only compares the outputs. */
export async function runInSession(
  context: ToolContext,
  place: NamedFile,
  input: RunCall,
  call: ToolCall<NotebookDetails>,
): Promise<ToolResult<NotebookDetails>> {
  if (context.runtime.settings.python.kernelMode === "per-call") throw needsSession;
  const saveTo = await whereToSave(context, input);
  const cwd = await workingFolder(context, input.cwd);
  if (input.action === "run") {
    const notices = context.firstUseNotices(input.session);
    return watchedRun({ context, place, input, saveTo, cwd, notices }, context.sessionFor(input.session, cwd), call);
  }
  // A fresh kernel, so that the session keeps its variables.
  const { runtime, owner } = context;
  await using session = runtime.session(`verify-${randomUUID()}`, { cwd, owner });
  return await watchedRun({ context, place, input, saveTo, cwd, notices: [] }, session, call);
}

interface Plan {
  readonly context: ToolContext;
  readonly place: NamedFile;
  readonly input: RunCall;
  readonly saveTo: string | null | undefined;
  readonly cwd: string;
  readonly notices: readonly string[];
}

async function watchedRun(
  plan: Plan,
  session: Session,
  call: ToolCall<NotebookDetails>,
): Promise<ToolResult<NotebookDetails>> {
  const { context, place, input, saveTo, cwd } = plan;
  const progress = new RunProgress({ path: place.path, session: session.id });
  using updates = new Updates<NotebookDetails>(call, () => progress.now());
  updates.changed();
  const run = await runNotebook(session, place.real, {
    ...notebookRunOptions(input),
    ...(input.action === "verify" && { verify: {} }),
    ...(input.action === "verify" && !input.allow_errors && { allowErrors: "where-stored" as const }),
    saveTo,
    maxCellMegabytes: context.runtime.settings.notebook.maxCellMegabytes,
    signal: call.signal,
    answer: call.answer,
    onProgress(step) {
      progress.take(step);
      updates.changed();
    },
  });
  const isElsewhere = run.status !== "ok" && dirname(place.real) !== cwd;
  const notices = [
    ...plan.notices,
    ...(input.action === "run" ? howToGoOn(run) : []),
    ...(isElsewhere ? [ranElsewhere(cwd, place)] : []),
    ...run.notices,
    ...context.functionNotices(),
  ];
  return resultOf(plan, { run, notices, session: session.id });
}

const needsSession = new GranaryError(
  "per-call",
  "Notebooks cannot be run while python.kernelMode is per-call: a cell would not have the variables of the cells before it.",
);

/** Undefined for the notebook itself. */
async function whereToSave(context: ToolContext, { action, out }: RunCall): Promise<string | null | undefined> {
  if (action === "verify") return null;
  if (out === undefined) return undefined;
  const place = await namedFile(context, out);
  await makeWay(place);
  return place.real;
}

/** How to resume, when Python still has the variables of the cells before. */
function howToGoOn({ status, failed }: NotebookRun): readonly string[] {
  const livesOn = status === "error" || status === "timeout";
  return livesOn && failed !== null ? [`Fix cell ${failed.index}, then resume: true continues with it.`] : [];
}

function ranElsewhere(cwd: string, { path }: NamedFile): string {
  return `The cells ran in ${cwd}. If they need the notebook's own folder, pass cwd: ${dirname(path)} (a kernel of its own).`;
}

async function resultOf(
  { context, place, input }: Plan,
  {
    run,
    notices,
    session,
  }: { readonly run: NotebookRun; readonly notices: readonly string[]; readonly session: string },
): Promise<ToolResult<NotebookDetails>> {
  const { action, timeout = Number.POSITIVE_INFINITY } = input;
  const changed = run.cells.filter(({ outputsChanged }) => outputsChanged);
  const isGood = run.status === "ok" && (action === "run" || changed.length === 0);
  const verdict =
    run.status !== "ok"
      ? sayFailed(run, context.cwd, timeout * 1000)
      : action === "run"
        ? sayRan(run, context.cwd)
        : [sayVerified(run), ...changed.map(sayChanged)].join("\n");
  const capture = context.runtime.createCapture(session, textBytes(context));
  if (action === "run") await takeRun(run, capture);
  const before = isGood ? verdict : `Error: ${verdict}`;
  const captured = await capture.finish();
  const content = await capturedContent(context, session, captured, { before, notices });
  const details: NotebookRunDetails = {
    action: "run",
    path: place.path,
    session,
    progress: null,
    run,
    totalCells: run.cells.length,
    truncation: captured.truncation,
    fullOutputPath: await fileOf(context, captured.truncation?.artifact ?? null),
  };
  return { content, isError: !isGood, details, structured: structuredOf(run, place, action, changed.length) };
}

function structuredOf(run: NotebookRun, { path }: NamedFile, action: RunCall["action"], changed: number) {
  const { status, savedTo, failed, failure, cells } = run;
  const error = failed?.error ?? failure;
  return {
    path,
    status,
    ran: cells.filter((cell) => cell.status !== "skipped" && cell.status !== "not-run").length,
    ...(savedTo !== null && { savedTo }),
    ...(failed !== null && { failed: failed.index }),
    ...(error !== null && { message: error.message }),
    ...(failure !== null && { error: { code: failure.code, message: failure.message } }),
    ...(action === "verify" && { verified: status === "ok" && changed === 0 }),
  };
}
