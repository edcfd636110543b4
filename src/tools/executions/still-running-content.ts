import type { Execution } from "../../session/execution/execution.ts";
import { codeContent } from "../code/code-content.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { ToolContent } from "../definition/tool.ts";
import { newsOf } from "./execution-news.ts";
import { howToFollow, soFar } from "./say-standing.ts";
import { withHead } from "./with-head.ts";

/** The content of a call that has waited long enough: the time and output so far, and how to follow the work. */
export async function stillRunningContent(
  context: ToolContext,
  execution: Execution,
  { where = ".", notices = [] }: { readonly where?: string; readonly notices?: readonly string[] } = {},
): Promise<readonly ToolContent[]> {
  const { id, sessionId: session } = execution;
  const result = newsOf(context, execution, 0);
  const { content } = await codeContent(context, {
    session,
    cells: [{ title: null, result }],
    of: 1,
    message: null,
    notices: [...notices, ...result.notices, howToFollow(execution, result.position)],
    nothing: "(no output yet)",
  });
  const time = soFar(execution);
  const standing = time === null ? `not begun yet: ${id}` : `still running: ${id}, ${time} so far`;
  return withHead(`${standing}${where}`, content);
}
