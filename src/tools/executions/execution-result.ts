import { sayException } from "../../output/text/say-exception.ts";
import type { Execution, ExecutionResult } from "../../session/execution/execution.ts";
import { codeContent } from "../code/code-content.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { ExecutionsDetails } from "../definition/details.ts";
import type { ToolResult } from "../definition/tool.ts";
import { executionDetails } from "./execution-list.ts";
import { newsOf } from "./execution-news.ts";
import { soFar } from "./say-standing.ts";
import { withHead } from "./with-head.ts";

/** The state of an execution, and its output since a position. */
export async function executionResult(
  context: ToolContext,
  execution: Execution,
  since: number,
  notices: readonly string[],
): Promise<ToolResult<ExecutionsDetails>> {
  const position = execution.place;
  const { id, sessionId: session, cell } = execution;
  const result = execution.isOver ? await execution.result : null;
  // An ended execution that was never polled is reported like the result of its call.
  const shown = result !== null && since === 0 ? result : newsOf(execution, since);
  const { content } = await codeContent(context, {
    session,
    cells: [{ title: cell.title ?? null, result: shown }],
    of: 1,
    message: null,
    notices: [...notices, ...shown.notices],
    nothing: since > 0 ? "(nothing new)" : result === null ? "(no output yet)" : undefined,
  });
  return {
    content: withHead(standing(execution, result, position), content),
    isError: false,
    details: { executions: [executionDetails(execution)] },
    structured: { executions: [{ id, status: execution.status }], position },
  };
}

function standing(execution: Execution, result: ExecutionResult | null, position: number): string {
  const { id, status } = execution;
  const time = soFar(execution);
  if (result === null)
    return `${id} is ${status}${time === null ? "" : `, ${time} so far`}. Next position: ${position}.`;
  const { error, failure } = result;
  const reason = status === "skipped" ? whySkipped : (failure?.message ?? (error && sayException(error)));
  return `${id} is over: ${status}${reason ? ` (${reason})` : ""}.`;
}

const whySkipped = "a cell before it in the same call did not succeed";
