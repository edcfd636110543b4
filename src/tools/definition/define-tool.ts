import type { z } from "zod";
import { failureOf } from "../../session/failure.ts";
import { deepestJson, isTooDeep } from "../../support/json/deep-json.ts";
import { explainProblem } from "./input-problem.ts";
import type { Tool, ToolCall, ToolHints, ToolResult } from "./tool.ts";
import { visibleCall, visibleResult } from "./visible-result.ts";

export interface ToolDefinition<Input extends z.ZodObject, Details extends object> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A strict object: an unknown name is reported, not silently ignored. */
  readonly input: Input;
  readonly output: z.ZodObject;
  readonly hints: ToolHints;
  /** The subject of a failed call, for hosts that show it; null when the input does not name it. */
  readonly failureDetails?: (input: unknown) => Details | null;
  /** An exception becomes a failed result. */
  run(input: z.output<Input>, call: ToolCall<Details>): Promise<ToolResult<Details>>;
}

/**
 * A tool that checks its input and never rejects.
 *
 * @example
 * const greet = defineTool({ name: "greet", description: "Says hello", input: z.object({ name: z.string() }), … });
 */
export function defineTool<Input extends z.ZodObject, Details extends object = object>(
  definition: ToolDefinition<Input, Details>,
): Tool<Details> {
  const { name, title, description, input: inputSchema, output: outputSchema, hints } = definition;
  return {
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    hints,
    async run(input, call = {}) {
      return visibleResult(await checkedRun(definition, input, visibleCall(call)));
    },
  };
}

async function checkedRun<Input extends z.ZodObject, Details extends object>(
  definition: ToolDefinition<Input, Details>,
  input: unknown,
  call: ToolCall<Details>,
): Promise<ToolResult<Details>> {
  const failed = (message: string, code: string) =>
    failedResult<Details>(message, code, definition.failureDetails?.(input) ?? null);
  if (isTooDeep(input)) return failed(tooDeep, "input");
  const checked = definition.input.safeParse(input ?? {});
  if (!checked.success) return failed(explainProblem(checked.error, input, definition.input), "input");
  try {
    return await definition.run(checked.data as z.output<Input>, call);
  } catch (error) {
    if (call.signal?.aborted) return failed("The call was cancelled.", "cancelled");
    const { message, code } = failureOf(error);
    return failed(code === "ERR_MODULE_NOT_FOUND" ? replacedMeanwhile : message, code);
  }
}

const tooDeep = `The arguments are nested more than ${deepestJson} levels deep. Write them to a file, or send them as text.`;

/** Modules are loaded on demand, and may have been deleted by then. */
const replacedMeanwhile = "Granary's own files have changed since its start, as after an update. Restart this server.";

/** The model's text of a failure begins with `Error: `; programs get the code. */
function failedResult<Details extends object>(
  message: string,
  code: string,
  details: Details | null,
): ToolResult<Details> {
  return {
    content: [{ type: "text", text: `Error: ${message}` }],
    isError: true,
    details,
    structured: { error: { code, message } },
  };
}
