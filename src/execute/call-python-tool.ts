import { pythonLiteral } from "../python/python-literal.ts";
import type { Execution, ExecutionResult } from "../session/execution/execution.ts";
import type { PythonTool } from "../session/python-tools.ts";
import type { RunOptions, Session } from "../session/session.ts";
import { GranaryError } from "../support/granary-error.ts";
import type { JsonValue } from "../support/json/value.ts";

export interface PythonToolResult {
  /** The returned value; undefined without one, and for a value that is not JSON: that is among the displays. */
  readonly value: JsonValue | undefined;
  /** The result of the cell that made the call. */
  readonly result: ExecutionResult;
}

/**
 * Calls a Python function that was marked with `@tool`, as a cell of its session: it sees its variables and waits its turn.
 *
 * @example
 * const { value } = await callPythonTool(session, "price", { item: "apple", amount: 3 });
 */
export async function callPythonTool(
  session: Session,
  name: string,
  args: Readonly<Record<string, JsonValue>>,
  {
    onExecution,
    onReturned,
    ...options
  }: Pick<RunOptions, "signal" | "timeoutMs" | "answer" | "onEvent" | "background"> & {
    /** Gets the return value of the function while its cell runs. */
    readonly onReturned?: ((value: JsonValue) => void) | undefined;
    /** Gets the execution as soon as it is queued. */
    readonly onExecution?: ((execution: Execution) => void) | undefined;
  } = {},
): Promise<PythonToolResult> {
  const { list } = session.pythonTools;
  const tool = list.find((each) => each.name === name);
  if (tool === undefined) throw unknown(name, list, session.id);
  let value: JsonValue | undefined;
  const cell = { code: callOf(tool, args), title: `${name}(…)` };
  const execution = session.run(cell, {
    ...options,
    onReturned(returned) {
      value = returned;
      onReturned?.(returned);
    },
  });
  onExecution?.(execution);
  return { result: await execution.result, value };
}

/** Imported by a private name, so that it works after any change to the user's names. */
function callOf({ name, awaits }: PythonTool, args: Readonly<Record<string, JsonValue>>): string {
  const given = `${pythonLiteral(name)}, ${pythonLiteral(JSON.stringify(args))}`;
  const imported = '__import__("granary_prelude.python_tools", fromlist=["call"])';
  return awaits ? `await ${imported}.call_and_await(${given})` : `${imported}.call(${given})`;
}

function unknown(name: string, list: readonly PythonTool[], session: string): GranaryError {
  const known = list.map((each) => each.name).join(", ") || "none";
  const remedy = "Mark the function with @tool in a cell; when the kernel is replaced, its tools are gone.";
  return new GranaryError(
    "unknown-python-tool",
    `Session ${session} has no Python tool ${name}. It has: ${known}. ${remedy}`,
  );
}
