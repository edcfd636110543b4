import type { NotebookRun } from "../../execute/notebook/notebook-run.ts";
import type { Execution } from "../../session/execution/execution.ts";
import { fileOf } from "../code/keep.ts";
import type { NotebookDetails, NotebookRunDetails } from "../definition/details.ts";
import type { ToolResult } from "../definition/tool.ts";
import { whyNotBegun } from "../executions/say-standing.ts";
import { stillRunningContent } from "../executions/still-running-content.ts";
import type { NamedFile } from "../files/named-file.ts";
import { capturedContent } from "./captured-content.ts";
import type { EndedRun, RunCall, RunPlan } from "./notebook-work.ts";

/** The result of a call whose run has ended. */
export async function runResult(
  { context, place, input, session }: RunPlan,
  { run, isGood, verdict, changed, captured, notices }: EndedRun,
): Promise<ToolResult<NotebookDetails>> {
  const before = isGood ? verdict : `Error: ${verdict}`;
  const content = await capturedContent(context, session.id, captured, { before, notices });
  const details: NotebookRunDetails = {
    action: "run",
    path: place.path,
    session: session.id,
    progress: null,
    run,
    totalCells: run.cells.length,
    truncation: captured.truncation,
    fullOutputPath: await fileOf(context, captured.truncation?.artifact ?? null),
  };
  return { content, isError: !isGood, details, structured: structuredOf(run, place, input.action, changed.length) };
}

/** The result of a call that has waited long enough: the run continues as an execution. */
export async function stillRunningNotebook(
  { context, place, notices, session, input }: RunPlan,
  execution: Execution,
  details: NotebookRunDetails,
): Promise<ToolResult<NotebookDetails>> {
  const saved = input.action === "run" ? ["Outputs are saved after every cell."] : [];
  const where = execution.startedAt === null ? `. ${whyNotBegun(execution, session)}` : `${whereItIs(details)}.`;
  return {
    content: await stillRunningContent(context, execution, { where, notices: [...notices, ...saved] }),
    isError: false,
    details,
    structured: { path: place.path, status: "running", id: execution.id },
  };
}

function whereItIs({ progress }: NotebookRunDetails): string {
  return progress === null ? "" : `, cell ${progress.cellIndex} (${progress.number} of ${progress.of})`;
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
