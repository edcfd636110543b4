import { sayUndone } from "../../session/checkpoints/say-undone.ts";
import type { Execution } from "../../session/execution/execution.ts";
import type { ExecutionsDetails } from "../definition/details.ts";
import type { ToolResult } from "../definition/tool.ts";
import { nameOf } from "./say-standing.ts";

/** How many ended executions to list; running ones are always listed. */
const mostListed = 20;

/** The executions of some sessions, newest last. */
export function executionList(
  executions: readonly Execution[],
  sessions: ReadonlySet<string>,
): ToolResult<ExecutionsDetails> {
  const own = ownExecutions(executions, sessions);
  const latest = new Set(own.slice(-mostListed));
  const listed = own.filter((execution) => !execution.isOver || latest.has(execution));
  const text = listed.length === 0 ? "(nothing was run yet)" : listed.map(line).join("\n");
  return {
    content: [{ type: "text", text }],
    isError: false,
    details: { executions: listed.map(executionDetails) },
    structured: {
      executions: listed.map(({ id, status, undone }) => ({ id, status, ...(undone !== null && { undone: true }) })),
    },
  };
}

/** Executions of these sessions and their branches, such as `main/a` of `main`. A notebook run stands for its cells. */
export function ownExecutions(executions: readonly Execution[], sessions: ReadonlySet<string>): readonly Execution[] {
  const isOwn = (id: string): boolean => sessions.has(id) || [...sessions].some((name) => id.startsWith(`${name}/`));
  return executions.filter(({ sessionId, partOf }) => partOf === null && isOwn(sessionId));
}

const tailBytes = 2048;

export function executionDetails(execution: Execution): ExecutionsDetails["executions"][number] {
  const { id, sessionId, cell, status, undone } = execution;
  return {
    id,
    ...(undone !== null && { undone: true as const }),
    session: sessionId,
    title: cell.title ?? null,
    code: cell.code,
    status,
    tail: execution.tail(tailBytes),
  };
}

/** `run-3 running (main): train the model` */
function line(execution: Execution): string {
  const { id, status, sessionId, undone } = execution;
  const gone = undone === null ? "" : `, ${sayUndone(undone)}`;
  return `${id} ${status}${gone} (${sessionId}): ${nameOf(execution)}`;
}
