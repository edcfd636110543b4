import { sayCount } from "../../support/say-count.ts";
import type { ExecutionsDetails } from "../../tools/definition/details.ts";
import { renderOutput } from "../lines/output-lines.ts";
import { clamp } from "../text/fit.ts";
import { oneLine } from "../text/printable.ts";
import type { ViewOptions } from "../view-options.ts";

const tailLines = 3;

/** Executions: a row for each, and the end of its output. */
export function renderExecutions({ executions }: ExecutionsDetails, options: ViewOptions): readonly string[] {
  const { theme, width } = options;
  if (executions.length === 0) return [theme.muted("  (nothing is running)")];
  const blocks = executions.flatMap(({ id, session, title, code, status, tail }) => {
    const name = oneLine(title ?? code.trim().split("\n", 1)[0] ?? "");
    const facts = theme.muted(` · ${oneLine(status)} · session ${oneLine(session)}`);
    const line = clamp(`${theme.accent(oneLine(id))} ${name}${facts}`, width);
    return [line, ...renderOutput(tail, { ...options, previewLines: tailLines })];
  });
  return options.expanded ? [theme.muted(sayCount(executions.length, "execution")), ...blocks] : blocks;
}
