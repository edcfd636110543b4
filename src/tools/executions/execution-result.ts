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

/**
 * The state and the output of an execution, or of several cells of a call.
 * @param since a position of the first one; the others are shown from their beginning
 */
export async function executionResult(
  context: ToolContext,
  executions: readonly Execution[],
  since: number,
  notices: readonly string[],
): Promise<ToolResult<ExecutionsDetails>> {
  const states = await Promise.all(executions.map((each, index) => stateOf(context, each, index === 0 ? since : 0)));
  const shown = states.filter(({ cell }, index) => index === 0 || cell.startedAt !== null);
  const told = shown.flatMap(({ output }) => output.notices);
  const current = states.find(({ result }) => result === null) ?? states[0];
  const { content } = await codeContent(context, {
    session: executions[0]?.sessionId ?? context.session,
    cells: shown.map(({ cell, output }) => ({ title: cell.cell.title ?? null, result: output })),
    // One cell needs no header.
    of: shown.length === 1 ? 1 : (states.at(-1)?.cell.numberInCall ?? 1),
    first: states[0]?.cell.numberInCall,
    message: null,
    notices: [...new Set([...notices, ...told])],
    nothing: since > 0 ? "(nothing new)" : states[0]?.result === null ? "(no output yet)" : undefined,
  });
  const position = current?.position ?? 0;
  return {
    content: withHead(sayStates(states, position), content),
    isError: false,
    details: { executions: states.map(({ cell }) => executionDetails(cell)) },
    structured: { executions: states.map(({ cell: { id, status } }) => ({ id, status })), position },
  };
}

interface CellState {
  readonly cell: Execution;
  /** Null while it runs or waits. */
  readonly result: ExecutionResult | null;
  readonly position: number;
  readonly output: ReturnType<typeof newsOf> | ExecutionResult;
}

async function stateOf(context: ToolContext, cell: Execution, since: number): Promise<CellState> {
  const result = cell.isOver ? await cell.result : null;
  // An ended execution that was never polled is reported like the result of its call.
  if (result !== null && since === 0) return { cell, result, position: cell.place, output: result };
  const output = newsOf(context, cell, since);
  return { cell, result, position: output.position, output };
}

/** `run-4 is over: ok. run-5 is running, 3 s so far. Next position of run-5: 17. run-6 and run-7 are queued.` */
function sayStates(states: readonly CellState[], position: number): string {
  const sentences: string[] = [];
  let alike: CellState[] = [];
  const end = (): void => {
    const [first] = alike;
    if (first !== undefined) sentences.push(`${sayIds(alike.map(({ cell }) => cell.id))} ${saidOf(first)}.`);
    alike = [];
  };
  for (const state of states) {
    if (alike[0] !== undefined && saidOf(alike[0]) !== saidOf(state)) end();
    alike.push(state);
    if (state.cell.status !== "running") continue;
    end();
    const whose = states.length === 1 ? "" : ` of ${state.cell.id}`;
    sentences.push(`Next position${whose}: ${position}.`);
  }
  end();
  const [only] = states;
  if (states.length === 1 && only?.cell.status === "queued") sentences.push(`Next position: ${position}.`);
  return sentences.join(" ");
}

function sayIds(ids: readonly string[]): string {
  const [first = "", ...others] = ids;
  return others.length === 0 ? `${first} is` : `${first} to ${others.at(-1)} are`;
}

function saidOf({ cell, result }: CellState): string {
  const { status } = cell;
  const time = soFar(cell);
  if (result === null) return `${status}${time === null ? "" : `, ${time} so far`}`;
  const { error, failure } = result;
  const reason = status === "skipped" ? whySkipped : (failure?.message ?? (error && sayException(error)));
  return `over: ${status}${reason ? ` (${reason})` : ""}`;
}

const whySkipped = "a cell before it in the same call did not succeed";
