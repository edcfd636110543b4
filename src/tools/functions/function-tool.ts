import { z } from "zod";
import { callPythonTool } from "../../execute/call-python-tool.ts";
import type { OutputPart } from "../../output/output-part.ts";
import { sayException } from "../../output/text/say-exception.ts";
import { visibleStrings, visibleText } from "../../output/text/visible-text.ts";
import type { Execution, ExecutionResult } from "../../session/execution/execution.ts";
import type { PythonTool } from "../../session/python-tools.ts";
import type { Session } from "../../session/session.ts";
import type { JsonValue } from "../../support/json/value.ts";
import { codeContent } from "../code/code-content.ts";
import { askedTooLate, CallDeadline } from "../context/call-deadline.ts";
import { hardLimitMs } from "../context/hard-limit.ts";
import { refuseBusy } from "../context/refuse-busy.ts";
import type { ToolContext } from "../context/tool-context.ts";
import { defineTool } from "../definition/define-tool.ts";
import type { Tool } from "../definition/tool.ts";
import { stillRunningContent } from "../executions/still-running-content.ts";

export interface FunctionDetails {
  readonly session: string;
  /** Undefined when the return value is not JSON. */
  readonly value: JsonValue | undefined;
}

/** A Python function marked with `@tool`, as a tool: it runs as a cell of its session. */
export function createFunctionTool(
  context: ToolContext,
  session: Session,
  definition: PythonTool,
): Tool<FunctionDetails> {
  const { name } = definition;
  const { description, inputSchema } = visibleStrings(definition);
  return defineTool<z.ZodObject, FunctionDetails>({
    name,
    title: visibleText(name),
    description: `Defined by a cell: ${description === "" ? `the Python function ${name}.` : description}`,
    input: objectSchema(inputSchema),
    output: z.object({ value: z.unknown().optional() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    async run(input, { signal, answer }) {
      refuseBusy(context, session);
      using deadline = new CallDeadline(context.runtime.settings.python.timeoutSeconds * 1000);
      const executions: Execution[] = [];
      const over = callPythonTool(session, name, input as Readonly<Record<string, JsonValue>>, {
        signal,
        answer: deadline.answering(answer, () => executions[0]?.note(askedTooLate)),
        timeoutMs: hardLimitMs(context),
        background: "later",
        onExecution: (execution) => executions.push(execution),
        // The value is for the host alone, and the call has returned.
        onReturned: (value) => deadline.isOver && executions[0]?.note(`${name} returned ${sayValue(value)}`),
      });
      const ended = await context.ongoing.during(executions, () => deadline.waitFor(over));
      const [execution] = executions;
      if (ended === null && execution !== undefined) {
        context.ongoing.leave([execution]);
        const content = await stillRunningContent(context, execution);
        return { content, isError: false, details: { session: session.id, value: undefined }, structured: {} };
      }
      const { value, result } = ended ?? (await over);
      const { content } = await codeContent(context, {
        session: session.id,
        cells: [{ title: null, result: { ...result, parts: [...result.parts, ...valueParts(value)] } }],
        of: 1,
        message: problemOf(name, result),
        notices: result.notices,
      });
      const structured = value === undefined ? {} : { value };
      return { content, isError: result.status !== "ok", details: { session: session.id, value }, structured };
    },
  });
}

/** Python checks the arguments in any case, including the parts that zod does not understand. */
function objectSchema(schema: PythonTool["inputSchema"]): z.ZodObject {
  try {
    const made = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    if (made instanceof z.ZodObject) return made;
  } catch {}
  return z.looseObject({});
}

/** Text unchanged, anything else as JSON; a function that returns None has only its printed output. */
function valueParts(value: JsonValue | undefined): readonly OutputPart[] {
  if (value === undefined || value === null) return [];
  return [{ type: "text", text: `${sayValue(value)}\n` }];
}

function sayValue(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function problemOf(name: string, { status, error, failure }: ExecutionResult): string | null {
  if (status === "ok") return null;
  const reason = failure?.message ?? (error === null ? `it ended with ${status}` : sayException(error));
  return `${name} failed: ${reason}`;
}
