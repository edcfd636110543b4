import { jsonText } from "../support/json/deep-json.ts";
import { callLine } from "./calls/call-line.ts";
import { renderCodeCall } from "./calls/code-call.ts";
import { renderBashCall, renderEditCall, renderReadCall, renderWriteCall } from "./calls/file-calls.ts";
import { renderNotebookCall } from "./calls/notebook-call.ts";
import type { ViewOptions } from "./view-options.ts";

/**
 * Shows a call before its result.
 * @param input may be anything, or incomplete: a model may still be writing it
 */
export function renderCall(tool: string, input: unknown, options: ViewOptions): readonly string[] {
  const render = renderers.get(tool);
  return render === undefined ? renderOtherCall(tool, input, options) : render(tool, input, options);
}

type CallRenderer = (tool: string, input: unknown, options: ViewOptions) => readonly string[];

const renderers: ReadonlyMap<string, CallRenderer> = new Map([
  ["python", renderCodeCall],
  ["eval", renderCodeCall],
  ["bash", renderBashCall],
  ["read", renderReadCall],
  ["edit", renderEditCall],
  ["write", renderWriteCall],
  ["notebook", renderNotebookCall],
]);

/** The first arguments of an unknown tool. */
function renderOtherCall(tool: string, input: unknown, options: ViewOptions): readonly string[] {
  const fields = input !== null && typeof input === "object" ? Object.entries(input) : [];
  const facts = fields.map(([name, value]) => `${name} ${typeof value === "string" ? value : jsonText(value)}`);
  return callLine(tool, "", facts, options);
}
