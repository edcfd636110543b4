import type { Execution } from "../../session/execution/execution.ts";
import { type CellsResult, type CellToRun, runCells } from "../../session/run-cells.ts";
import type { Session } from "../../session/session.ts";
import { askedTooLate, CallDeadline } from "../context/call-deadline.ts";
import { hardLimitMs } from "../context/hard-limit.ts";
import { refuseBusy } from "../context/refuse-busy.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { CodeDetails } from "../definition/details.ts";
import type { ToolCall, ToolResult, ToolUpdate } from "../definition/tool.ts";
import { Updates } from "../definition/updates.ts";
import { cellDetails } from "./cell-details.ts";
import { CellWatch } from "./cell-watch.ts";
import { codeResult, startedResult } from "./code-result.ts";
import { stillRunningCells } from "./still-running.ts";

/** The request of a `python` or `eval` call. */
export interface CodePlan {
  readonly context: ToolContext;
  readonly session: Session;
  readonly cwd: string;
  readonly cells: readonly PlannedCell[];
  /** How long the call waits. */
  readonly waitMs: number;
  /** Queues when the session is busy. */
  readonly queue: boolean;
  /** A fresh kernel before the first cell. */
  readonly reset: boolean;
  /** Returns at once, and the cells continue. */
  readonly background: boolean;
  /** Sentences for the model. */
  readonly notices: readonly string[];
}

interface PlannedCell extends CellToRun {
  readonly language: string;
}

/** Runs the cells of one call and makes the tool's result. */
export async function runCode(plan: CodePlan, call: ToolCall<CodeDetails>): Promise<ToolResult<CodeDetails>> {
  const { context, session, cells, waitMs, reset, background } = plan;
  if (!plan.queue) for (const { session: place = session } of cells) refuseBusy(context, place);
  const watches = cells.map(({ language }) => new CellWatch(language));
  const hasToWait = session.shared.isBusy;
  using updates = new Updates(call, () => updateOf(plan, watches, hasToWait));
  using deadline = new CallDeadline(waitMs);
  let isPlaced = false;
  const changed = (): void => {
    if (isPlaced) updates.changed();
  };
  const over = runCells(session, cells, {
    timeoutMs: hardLimitMs(context),
    reset,
    background: background || "later",
    signal: call.signal,
    answer: background ? undefined : deadline.answering(call.answer, () => running(watches)?.note(askedTooLate)),
    onProgress(index, progress, execution) {
      watches[index]?.moveTo(progress, execution);
      changed();
    },
  });
  const executions = watches.map(({ execution }) => execution).filter((execution) => execution !== null);
  if (background) {
    context.ongoing.leave(executions);
    return startedResult(plan, watches);
  }
  if (updates.areWanted) for (const watch of watches) void watch.follow(changed);
  // By then all cells are queued, and the first one runs or has reported what it waits for.
  setImmediate(() => {
    isPlaced = true;
    updates.changed();
  });
  const outcome = await context.ongoing.during(executions, () => deadline.waitFor(over));
  const isOver = outcome !== null || executions.every((execution) => execution.isOver);
  if (isOver) return codeResult(plan, watches, explained(outcome ?? (await over)));
  context.ongoing.leave(executions);
  return stillRunningCells(plan, watches);
}

function running(watches: readonly CellWatch[]): Execution | undefined {
  return watches.findLast(({ execution }) => execution?.status === "running")?.execution ?? undefined;
}

/** The end of the output so far. */
const tailBytes = 4096;

function updateOf(plan: CodePlan, watches: readonly CellWatch[], hasToWait: boolean): ToolUpdate<CodeDetails> {
  const current = running(watches);
  const waits = hasToWait && watches[0]?.execution?.status === "queued";
  const forPlace = watches.map(({ whyItWaits }) => whyItWaits).find((reason) => reason !== null);
  const forCells = waits ? `Waiting for other cells of session ${plan.session.id}.` : undefined;
  const text = forPlace ?? forCells ?? current?.tail(tailBytes) ?? "";
  return { text, details: detailsSoFar(plan, watches), bars: current?.bars() };
}

function detailsSoFar({ session, cwd }: CodePlan, watches: readonly CellWatch[]): CodeDetails {
  const states = watches.map((watch) => watch.state()).filter((state) => state !== null);
  const cells = states.map(cellDetails);
  return { session: session.id, cwd, cells, failed: null, message: null, ledger: null, background: false };
}

function explained(result: CellsResult): CellsResult {
  const failed = result.failed === null ? null : result.cells[result.failed];
  return failed?.status === "timeout" ? { ...result, message: `${result.message} ${moreTime}` } : result;
}

const moreTime = "The setting python.hardLimitSeconds, or python.backgroundHours in the background, allows no more.";
