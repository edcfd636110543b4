import { z } from "zod";
import type { Execution } from "../session/execution/execution.ts";
import type { ExecutionLook } from "../session/execution/look-inside.ts";
import { deadlineAfter } from "../support/deadline.ts";
import { GranaryError } from "../support/granary-error.ts";
import { timeLimit, timeoutInput } from "./context/time-limit.ts";
import type { ToolContext } from "./context/tool-context.ts";
import { defineTool } from "./definition/define-tool.ts";
import type { ExecutionsDetails } from "./definition/details.ts";
import type { Tool, ToolCall, ToolResult } from "./definition/tool.ts";
import { Updates } from "./definition/updates.ts";
import { executionDetails, executionList } from "./executions/execution-list.ts";
import { executionResult } from "./executions/execution-result.ts";
import { lookText } from "./executions/look-text.ts";

/** Background cells, running or ended: list, poll, wait for and interrupt them by id. */
export function createExecutionsTool(context: ToolContext): Tool<ExecutionsDetails> {
  const { runtime } = context;
  return defineTool<typeof input, ExecutionsDetails>({
    name: "executions",
    title: "Background work",
    description,
    input,
    output: z.object({
      executions: z.array(z.object({ id: z.string(), status: z.string() })),
      position: z.number().optional(),
    }),
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    async run({ action, id, since = 0, timeout }, call) {
      const wish = action ?? (id === undefined ? "list" : "poll");
      if (wish === "list") return executionList(runtime.executions, context.sessions);
      const execution = find(id);
      if (wish === "look") return lookResult(execution, await execution.look(call.signal));
      const limit = timeLimit(timeout, runtime.settings.python.timeoutSeconds);
      if (wish === "wait") await untilOver(execution, limit.ms, call);
      if (wish === "interrupt") await execution.interrupt();
      return executionResult(context, execution, since, wish === "wait" ? limit.notices : []);
    },
  });

  /** Without an id, the only running execution. */
  function find(id: string | undefined): Execution {
    const found = id === undefined ? onlyOne() : runtime.execution(id);
    if (found !== undefined) return found;
    const known = runtime.executions.slice(-5).map((execution) => execution.id);
    const there = known.length === 0 ? "There are none." : `The latest: ${known.join(", ")}.`;
    throw new GranaryError(
      "no-execution",
      id === undefined ? `id is required. ${there}` : `There is no ${id}. ${there}`,
    );
  }

  function onlyOne(): Execution | undefined {
    const own = runtime.executions.filter(({ sessionId }) => context.sessions.has(sessionId));
    const [first, ...others] = own.filter(({ status, partOf }) => status === "running" && partOf === null);
    return others.length === 0 ? first : undefined;
  }
}

function lookResult(execution: Execution, inside: ExecutionLook | null): ToolResult<ExecutionsDetails> {
  const { id, status } = execution;
  return {
    content: [{ type: "text", text: lookText(execution, inside) }],
    isError: false,
    details: { executions: [executionDetails(execution)] },
    structured: { executions: [{ id, status }] },
  };
}

const input = z.strictObject({
  action: z.enum(["list", "poll", "wait", "interrupt", "look"]).optional(),
  id: z.string().optional(),
  since: z.number().optional().describe("the last position"),
  timeout: timeoutInput.optional(),
});

const description = `Work that continues: list, poll what is new, wait for the end (30 s by default), interrupt, look (stack, processes, \
progress). {"action": "wait", "id": "run-3", "since": 17}`;

/** Settles at the end or the timeout; rejects when the caller has gone. The execution continues in any case. */
async function untilOver(execution: Execution, ms: number, call: ToolCall<ExecutionsDetails>): Promise<void> {
  using updates = new Updates<ExecutionsDetails>(call, () => ({
    text: execution.tail(tailBytes),
    details: { executions: [executionDetails(execution)] },
    bars: execution.bars(),
  }));
  using deadline = deadlineAfter(ms, call.signal);
  const { signal } = deadline;
  const timeIsUp = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  updates.changed();
  if (updates.areWanted) void tellOfChanges(execution, updates);
  await Promise.race([execution.result, timeIsUp]);
  call.signal?.throwIfAborted();
}

const tailBytes = 4096;

async function tellOfChanges(execution: Execution, updates: Updates<ExecutionsDetails>): Promise<void> {
  for await (const _ of execution.events(execution.place)) updates.changed();
}
