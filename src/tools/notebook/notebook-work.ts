import { basename, dirname } from "node:path";
import type { CellReport, NotebookProgress, NotebookRun } from "../../execute/notebook/notebook-run.ts";
import { sayChanged, sayFailed, sayRan, sayVerified } from "../../execute/notebook/run-summary.ts";
import { runNotebook } from "../../execute/run-notebook.ts";
import type { KernelEvent } from "../../kernel/events.ts";
import { type Capture, type Captured, nothingCaptured } from "../../output/capture.ts";
import type { Execution, ExecutionResult } from "../../session/execution/execution.ts";
import { workResult } from "../../session/execution/work-result.ts";
import { failureOf } from "../../session/failure.ts";
import type { Session } from "../../session/session.ts";
import { textBytes } from "../code/result-budget.ts";
import { askedTooLate } from "../context/call-deadline.ts";
import { hardLimitMs } from "../context/hard-limit.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { ToolCall } from "../definition/tool.ts";
import type { NamedFile } from "../files/named-file.ts";
import { takeRun } from "./run-content.ts";
import { notebookRunOptions, type RunInput } from "./run-input.ts";

export interface RunCall extends RunInput {
  readonly action: "run" | "verify";
}

export interface RunPlan {
  readonly context: ToolContext;
  readonly session: Session;
  readonly place: NamedFile;
  readonly input: RunCall;
  readonly saveTo: string | null | undefined;
  readonly cwd: string;
  readonly notices: readonly string[];
  /** Called when the run has ended. */
  leave(): Promise<void>;
}

/** The call that waits for the run, or has waited. */
interface Callers {
  readonly signal: AbortSignal | undefined;
  answering(onLate: () => void): ToolCall["answer"];
  onProgress(step: NotebookProgress): void;
  onEvent?(event: KernelEvent): void;
}

/** An ended run, with its summary and the output of its cells. */
export interface EndedRun {
  readonly run: NotebookRun;
  readonly isGood: boolean;
  readonly verdict: string;
  /** The cells whose outputs changed. */
  readonly changed: readonly CellReport[];
  readonly captured: Captured;
  readonly notices: readonly string[];
}

/** Runs a notebook as an execution, so that it can be followed after its call has returned. */
export function beginRun(plan: RunPlan, callers: Callers): { execution: Execution; over: Promise<EndedRun> } {
  const { context, session, place, input } = plan;
  const isRun = input.action === "run";
  const title = `notebook ${input.action} ${basename(place.path)}${isRun ? "" : ", in its own kernel"}`;
  const execution = context.beginWork(isRun ? session.id : context.session, { code: title }, callers.signal);
  const live = context.runtime.createCapture(execution.sessionId, textBytes(context));
  execution.captureWith(live);
  execution.lookWith((signal) => session.shared.look(signal));
  const over = runToEnd(plan, execution, {
    ...callers,
    onEvent: (event) => tellLive(event, live),
    onProgress(step) {
      if (execution.startedAt === null) execution.tell({ type: "running", generation: 0 });
      if (step.type === "cell-begins") void live.note(`[cell ${step.cell.index}, ${step.number} of ${step.of}]`);
      callers.onProgress(step);
    },
  });
  over.then(
    (ended) => execution.settle(resultOf(ended)),
    (error) => execution.settle(workResult(nothingCaptured, { status: "failed", failure: failureOf(error) })),
  );
  return { execution, over };
}

async function runToEnd(plan: RunPlan, execution: Execution, callers: Callers): Promise<EndedRun> {
  const { context, session, place, input, saveTo, cwd } = plan;
  try {
    const run = await runNotebook(session, place.real, {
      ...notebookRunOptions(input),
      ...(input.action === "verify" && { verify: {} }),
      ...(input.action === "verify" && !input.allow_errors && { allowErrors: "where-stored" as const }),
      saveTo,
      within: place.within,
      maxCellMegabytes: context.runtime.settings.notebook.maxCellMegabytes,
      timeoutMs: hardLimitMs(context),
      signal: execution.signal,
      answer: callers.answering(() => execution.note(askedTooLate)),
      onProgress: callers.onProgress,
      onEvent: callers.onEvent,
      work: execution,
    });
    const isElsewhere = run.status !== "ok" && dirname(place.real) !== cwd;
    const notices = [
      ...plan.notices,
      ...(input.action === "run" ? howToGoOn(run) : []),
      ...(isElsewhere ? [ranElsewhere(cwd, place)] : []),
      ...run.notices,
      ...context.functionNotices(),
    ];
    return { run, notices, ...(await told(plan, run)) };
  } finally {
    await plan.leave();
  }
}

async function told(
  { context, session, input: { action } }: RunPlan,
  run: NotebookRun,
): Promise<Omit<EndedRun, "run" | "notices">> {
  const changed = run.cells.filter(({ outputsChanged }) => outputsChanged);
  const isGood = run.status === "ok" && (action === "run" || changed.length === 0);
  const verdict =
    run.status !== "ok"
      ? sayFailed(run, context.cwd, hardLimitMs(context))
      : action === "run"
        ? sayRan(run, context.cwd)
        : [sayVerified(run), ...changed.map(sayChanged)].join("\n");
  const capture = context.runtime.createCapture(session.id, textBytes(context));
  if (action === "run") await takeRun(run, capture, context.roots);
  return { isGood, verdict, changed, captured: await capture.finish() };
}

/** Large values stay with the notebook: their file is gone after the event. */
function tellLive(event: KernelEvent, live: Capture): void {
  if (!("large" in event && event.large !== undefined)) live.take(event)?.catch(() => undefined);
}

function resultOf({ run, isGood, verdict, captured, notices }: EndedRun): ExecutionResult {
  const { failed, failure } = run;
  const status = run.status === "ok" && !isGood ? "error" : run.status;
  const before = `${verdict}\n`;
  return workResult(
    {
      ...captured,
      parts: [{ type: "text", text: before, isOwn: true }, ...captured.parts],
      output: before + captured.output,
    },
    {
      status,
      error: failed?.error ?? null,
      failure: failure && { ...failure, cause: null },
      durationMs: run.cells.reduce((sum, { durationMs }) => sum + durationMs, 0),
      notices,
    },
  );
}

/** How to resume, when Python still has the variables of the cells before. */
function howToGoOn({ status, failed }: NotebookRun): readonly string[] {
  const livesOn = status === "error" || status === "timeout";
  return livesOn && failed !== null ? [`Fix cell ${failed.index}, then resume: true continues with it.`] : [];
}

function ranElsewhere(cwd: string, { path }: NamedFile): string {
  return `The cells ran in ${cwd}. If they need the notebook's own folder, pass cwd: ${dirname(path)} (a kernel of its own).`;
}
