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
import { executionDetails, executionList, ownExecutions } from "./executions/execution-list.ts";
import { executionResult } from "./executions/execution-result.ts";
import { lookText } from "./executions/look-text.ts";
import { restOfCall } from "./executions/rest-of-call.ts";
import { nameOf } from "./executions/say-standing.ts";

/** Background cells, running or ended: list, poll, wait for and interrupt them by id. */
export function createExecutionsTool(context: ToolContext): Tool<ExecutionsDetails> {
  const { runtime } = context;
  return defineTool<typeof input, ExecutionsDetails>({
    name: "executions",
    title: "Background work",
    description,
    input,
    output: z.object({
      executions: z.array(z.object({ id: z.string(), status: z.string(), undone: z.boolean().optional() })),
      position: z.number().optional(),
    }),
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    async run({ action, id, since = 0, timeout }, call) {
      const wish = action ?? (id === undefined ? "list" : "poll");
      if (wish === "list") return executionList(runtime.executions, context.sessions);
      const execution = find(id, wish);
      if (wish === "look") return lookResult(execution, await execution.look(call.signal));
      const limit = timeLimit(timeout, runtime.settings.python.timeoutSeconds);
      if (wish === "wait") {
        const cells = restOfCall(execution);
        await untilOver(cells, limit.ms, call);
        return executionResult(context, cells, since, limit.notices);
      }
      if (wish === "interrupt") await execution.interrupt();
      return executionResult(context, [execution], since, []);
    },
  });

  /** Without an id, the only one that runs or waits; if none does, the last that has outlived its call. */
  function find(id: string | undefined, wish: Wish): Execution {
    if (id !== undefined) {
      const found = runtime.execution(id);
      if (found !== undefined) return found;
      const latest = own()
        .slice(-5)
        .map((execution) => execution.id);
      throw noExecution(
        `There is no ${id}. ${latest.length === 0 ? "There are none." : `The latest: ${latest.join(", ")}.`}`,
      );
    }
    const [first, ...others] = unfinished();
    if (first !== undefined && others.length === 0) return first;
    if (first !== undefined) {
      const names = [first, ...others].map((execution) => `${execution.id} (${nameOf(execution)})`);
      throw noExecution(`id is required, because several are not over: ${names.join(", ")}.`);
    }
    const { last } = context.ongoing;
    if (last !== null && (wish === "poll" || wish === "wait")) return last;
    throw noExecution(`Nothing is running.${last === null ? "" : ` The last that ran without its call: ${last.id}.`}`);
  }

  function own(): readonly Execution[] {
    return ownExecutions(runtime.executions, context.sessions);
  }

  /** The work of this agent that is not over; of a call, the cell whose turn it is. */
  function unfinished(): readonly Execution[] {
    const open = own().filter(({ isOver }) => !isOver);
    const following = new Set(open.flatMap((execution) => restOfCall(execution).slice(1)));
    return open.filter((execution) => !following.has(execution));
  }
}

type Wish = NonNullable<z.infer<typeof input>["action"]>;

function noExecution(problem: string): GranaryError {
  return new GranaryError("no-execution", problem);
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

/** Settles at the end of the call's last cell or at the timeout; rejects when the caller has gone. The execution continues in any case. */
async function untilOver(cells: readonly Execution[], ms: number, call: ToolCall<ExecutionsDetails>): Promise<void> {
  using updates = new Updates<ExecutionsDetails>(call, () => {
    const current = cells.find(({ isOver }) => !isOver);
    return {
      text: current?.tail(tailBytes) ?? "",
      details: { executions: cells.map(executionDetails) },
      bars: current?.bars(),
    };
  });
  using deadline = deadlineAfter(ms, call.signal);
  const { signal } = deadline;
  const timeIsUp = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  updates.changed();
  if (updates.areWanted) for (const cell of cells) void tellOfChanges(cell, updates);
  await Promise.race([Promise.all(cells.map(({ result }) => result)), timeIsUp]);
  call.signal?.throwIfAborted();
}

const tailBytes = 4096;

async function tellOfChanges(execution: Execution, updates: Updates<ExecutionsDetails>): Promise<void> {
  for await (const _ of execution.events(execution.place)) updates.changed();
}
