import { type CellsResult, type CellToRun, runCells } from "../../session/run-cells.ts";
import type { Session } from "../../session/session.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { CodeDetails } from "../definition/details.ts";
import type { ToolCall, ToolResult, ToolUpdate } from "../definition/tool.ts";
import { Updates } from "../definition/updates.ts";
import { cellDetails } from "./cell-details.ts";
import { CellWatch } from "./cell-watch.ts";
import { codeResult, startedResult } from "./code-result.ts";

/** The request of a `python` or `eval` call. */
export interface CodePlan {
  readonly context: ToolContext;
  readonly session: Session;
  readonly cwd: string;
  readonly cells: readonly PlannedCell[];
  /** For all cells together. */
  readonly timeoutMs: number;
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
  const { session, cells, timeoutMs, reset, background } = plan;
  const watches = cells.map(({ language }) => new CellWatch(language));
  const hasToWait = session.shared.isBusy;
  using updates = new Updates(call, () => updateOf(plan, watches, hasToWait));
  let isPlaced = false;
  const changed = (): void => {
    if (isPlaced) updates.changed();
  };
  const running = runCells(session, cells, {
    timeoutMs,
    reset,
    background,
    signal: call.signal,
    answer: background ? undefined : call.answer,
    onProgress(index, progress, execution) {
      watches[index]?.moveTo(progress, execution);
      changed();
    },
  });
  if (background) return startedResult(plan, watches);
  if (updates.areWanted) for (const watch of watches) void watch.follow(changed);
  // By then all cells are queued, and the first one runs or has reported what it waits for.
  setImmediate(() => {
    isPlaced = true;
    updates.changed();
  });
  return codeResult(plan, watches, explained(await running));
}

/** The end of the output so far. */
const tailBytes = 4096;

function updateOf(plan: CodePlan, watches: readonly CellWatch[], hasToWait: boolean): ToolUpdate<CodeDetails> {
  const current = watches.findLast(({ execution }) => execution?.status === "running")?.execution;
  const waits = hasToWait && watches[0]?.execution?.status === "queued";
  const forPlace = watches.map(({ whyItWaits }) => whyItWaits).find((reason) => reason !== null);
  const forCells = waits ? `Waiting for other cells of session ${plan.session.id}.` : undefined;
  return { text: forPlace ?? forCells ?? current?.tail(tailBytes) ?? "", details: detailsSoFar(plan, watches) };
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

const moreTime = "Give it a longer timeout (at most 600 seconds), or background: true.";
