import type { Execution } from "../../session/execution/execution.ts";
import type { CodeDetails } from "../definition/details.ts";
import type { ToolResult } from "../definition/tool.ts";
import { newsOf } from "../executions/execution-news.ts";
import { howToFollow, soFar, whyNotBegun } from "../executions/say-standing.ts";
import { withHead } from "../executions/with-head.ts";
import { cellDetails } from "./cell-details.ts";
import type { CellWatch } from "./cell-watch.ts";
import { codeContent } from "./code-content.ts";
import type { CodePlan } from "./run-code.ts";

/** The result of a call that has waited long enough: its cells continue as executions. */
export async function stillRunningCells(
  plan: CodePlan,
  watches: readonly CellWatch[],
): Promise<ToolResult<CodeDetails>> {
  const { context, session, cwd, cells } = plan;
  const states = watches.map((watch) => watch.state()).filter((state) => state !== null);
  const current = states.find(({ execution }) => !execution.isOver)?.execution;
  if (current === undefined) throw new Error("All cells are over.");
  const begun = states.filter(({ execution }) => execution.startedAt !== null);
  const news = newsOf(context, current, 0);
  const { content } = await codeContent(context, {
    session: session.id,
    cells: begun.map(({ execution, result }, index) => ({
      title: cells[index]?.title ?? null,
      result: execution === current ? news : (result ?? newsOf(context, execution, 0)),
    })),
    of: cells.length,
    message: null,
    notices: [...plan.notices, ...context.functionNotices(), howToFollow(current, news.position)],
    nothing: "(no output yet)",
  });
  const others = states.filter(({ execution }) => !execution.isOver && execution !== current);
  const followers = others.map(({ execution }) => execution.id);
  return {
    content: withHead(sayStillRunning(current, followers, whyNot(plan, current, watches)), content),
    isError: false,
    details: {
      session: session.id,
      cwd,
      cells: states.map(cellDetails),
      failed: null,
      message: null,
      ledger: null,
      background: true,
    },
    structured: {
      status: "running",
      session: session.id,
      cells: states.map(({ execution: { id, status } }) => ({ id, status })),
    },
  };
}

/** Why the first of the cells has not begun, if it has not. */
function whyNot({ session }: CodePlan, current: Execution, watches: readonly CellWatch[]): string {
  const why = watches.map(({ whyItWaits }) => whyItWaits).find((reason) => reason !== null);
  return why ?? whyNotBegun(current, session);
}

function sayStillRunning(current: Execution, followers: readonly string[], why: string): string {
  const time = soFar(current);
  const next =
    followers.length === 0 ? "" : `; ${followers.join(", ")} ${followers.length === 1 ? "follows" : "follow"}`;
  if (time !== null) return `still running: ${current.id}, ${time} so far${next}.`;
  return `not begun yet: ${current.id}${next}. ${why}`;
}
