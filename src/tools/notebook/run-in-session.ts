import { randomUUID } from "node:crypto";
import type { Execution } from "../../session/execution/execution.ts";
import type { Session } from "../../session/session.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { CallDeadline } from "../context/call-deadline.ts";
import { refuseBusy } from "../context/refuse-busy.ts";
import { timeLimit } from "../context/time-limit.ts";
import type { ToolContext } from "../context/tool-context.ts";
import { workingFolder } from "../context/working-folder.ts";
import type { NotebookDetails } from "../definition/details.ts";
import type { ToolCall, ToolResult } from "../definition/tool.ts";
import { Updates } from "../definition/updates.ts";
import { type NamedFile, namedFile } from "../files/named-file.ts";
import { makeWay } from "../files/write-text-file.ts";
import { beginRun, type RunCall, type RunPlan } from "./notebook-work.ts";
import { RunProgress } from "./run-progress.ts";
import { runResult, stillRunningNotebook } from "./run-result.ts";

/** Runs a notebook in a session, which keeps the variables; or only compares the outputs. */
export async function runInSession(
  context: ToolContext,
  place: NamedFile,
  input: RunCall,
  call: ToolCall<NotebookDetails>,
): Promise<ToolResult<NotebookDetails>> {
  const { runtime, owner } = context;
  if (runtime.settings.python.kernelMode === "per-call") throw needsSession;
  const saveTo = await whereToSave(context, input);
  const cwd = await workingFolder(context, input.cwd);
  const limit = timeLimit(input.timeout, runtime.settings.python.timeoutSeconds);
  const plan = { context, place, input, saveTo, cwd, waitMs: limit.ms };
  if (input.action === "run") {
    const session = context.sessionFor(input.session, cwd);
    if (!input.queue) refuseBusy(context, session);
    const notices = [...limit.notices, ...context.firstUseNotices(input.session)];
    return watchedRun({ ...plan, session, notices, leave: async () => {} }, call);
  }
  // A fresh kernel, so that the session keeps its variables. The call may return before the run ends.
  const session: Session = runtime.session(`verify-${randomUUID()}`, { cwd, owner, isTemporary: true });
  return watchedRun({ ...plan, session, notices: limit.notices, leave: () => session.leave() }, call);
}

async function watchedRun(
  plan: RunPlan & { readonly waitMs: number },
  call: ToolCall<NotebookDetails>,
): Promise<ToolResult<NotebookDetails>> {
  const { context, place, session } = plan;
  const progress = new RunProgress({ path: place.path, session: session.id });
  let work: Execution | undefined;
  using updates = new Updates<NotebookDetails>(call, () => ({ ...progress.now(), bars: work?.bars() }));
  updates.changed();
  using deadline = new CallDeadline(plan.waitMs);
  const { execution, over } = beginRun(plan, {
    signal: call.signal,
    answering: (onLate) => deadline.answering(call.answer, onLate),
    onProgress(step) {
      progress.take(step);
      updates.changed();
    },
  });
  work = execution;
  const ended = await context.ongoing.during([execution], () => deadline.waitFor(over));
  if (ended !== null) return runResult(plan, ended);
  context.ongoing.leave([execution]);
  return stillRunningNotebook(plan, execution, progress.now().details);
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
