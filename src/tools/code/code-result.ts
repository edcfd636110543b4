import { z } from "zod";
import type { CellsResult } from "../../session/run-cells.ts";
import { sayCount } from "../../support/say-count.ts";
import type { CodeDetails } from "../definition/details.ts";
import type { ToolResult } from "../definition/tool.ts";
import { cellDetails } from "./cell-details.ts";
import type { CellWatch } from "./cell-watch.ts";
import { codeContent } from "./code-content.ts";
import { fullOutputOf } from "./keep.ts";
import type { CodePlan } from "./run-code.ts";

/** The result of `python` or `eval` for programs. */
export const codeOutput = z.object({
  status: z.string(),
  session: z.string(),
  cells: z.array(z.object({ id: z.string(), status: z.string(), artifact: z.string().optional() })),
  /** Of Granary, not of the code; only programs read it. */
  error: z.object({ code: z.string(), message: z.string() }).optional().meta({ hidden: true }),
});

/** The result of a call whose cells have ended. */
export async function codeResult(
  plan: CodePlan,
  watches: readonly CellWatch[],
  outcome: CellsResult,
): Promise<ToolResult<CodeDetails>> {
  const { context, session, cwd, cells } = plan;
  const { failed, message } = outcome;
  const failure = outcome.cells[failed ?? 0]?.failure ?? null;
  // A kernel that could not start has no variables to report.
  const before = outcome.cells.some(({ attempts }) => attempts > 0) ? plan.notices : [];
  const hadTheirTurn = outcome.cells.filter(({ status }) => status !== "skipped");
  const { content, artifacts } = await codeContent(context, {
    session: session.id,
    cells: hadTheirTurn.map((result, index) => ({ title: cells[index]?.title ?? null, result })),
    of: cells.length,
    message,
    notices: [
      ...new Set([...before, ...outcome.cells.flatMap(({ notices }) => notices), ...context.functionNotices()]),
    ],
  });
  const full = await Promise.all(outcome.cells.map(({ truncation }) => fullOutputOf(context, truncation)));
  const states = watches.map((watch, index) => watch.state(full[index])).filter((state) => state !== null);
  return {
    content,
    isError: failed !== null,
    details: {
      session: session.id,
      cwd,
      cells: states.map(cellDetails),
      failed,
      message,
      ledger: outcome.cells.at(-1)?.ledger ?? null,
      background: false,
    },
    structured: {
      status: outcome.cells[failed ?? 0]?.status ?? "ok",
      session: session.id,
      ...(failure !== null && { error: { code: failure.code, message: failure.message } }),
      cells: outcome.cells.map(({ status }, index) => ({
        id: watches[index]?.execution?.id ?? "",
        status,
        ...(artifacts[index] && { artifact: artifacts[index] }),
      })),
    },
  };
}

/** The result of a call whose cells continue without it. */
export function startedResult(plan: CodePlan, watches: readonly CellWatch[]): ToolResult<CodeDetails> {
  const { session, cwd, context } = plan;
  const states = watches.map((watch) => watch.state()).filter((state) => state !== null);
  const ids = states.map(({ execution }) => execution.id);
  const text = [
    `Started in the background: ${ids.join(", ")} (session ${session.id}).`,
    `See how it goes with executions {"action": "wait", "id": "${ids[0]}"}; it ends after ${sayCount(context.runtime.settings.python.backgroundHours, "hour")} at the latest.`,
    'Until then, use another session, or "queue": true.',
    ...plan.notices.map((notice) => `Note: ${notice}`),
  ].join("\n");
  const cells = states.map(cellDetails);
  return {
    content: [{ type: "text", text }],
    isError: false,
    details: { session: session.id, cwd, cells, failed: null, message: null, ledger: null, background: true },
    structured: {
      status: "running",
      session: session.id,
      cells: states.map(({ execution: { id, status } }) => ({ id, status })),
    },
  };
}
