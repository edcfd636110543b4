import type { Execution } from "../../session/execution/execution.ts";
import { codeContent } from "../code/code-content.ts";
import { withHead } from "../code/with-head.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { BashDetails } from "../definition/details.ts";
import type { ToolResult } from "../definition/tool.ts";
import { newsOf } from "../executions/execution-news.ts";
import { howToFollow, soFar } from "../executions/say-standing.ts";

/** The result of a call that has waited long enough: its command continues as an execution. */
export async function stillRunningCommand(
  context: ToolContext,
  execution: Execution,
  details: BashDetails,
): Promise<ToolResult<BashDetails>> {
  const { id, sessionId: session } = execution;
  const following = howToFollow(execution);
  const result = newsOf(execution, 0);
  const { content } = await codeContent(context, {
    session,
    cells: [{ title: null, result }],
    of: 1,
    message: null,
    notices: [...details.notices, ...result.notices, following],
    nothing: "(no output yet)",
  });
  return {
    content: withHead(`still running: ${id}, ${soFar(execution)} so far.`, content),
    isError: false,
    details: { ...details, notices: [...details.notices, `Continues as ${id}.`] },
    structured: { status: "running", exitCode: null, signal: null, id },
  };
}
