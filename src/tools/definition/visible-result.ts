import { visibleStrings, visibleText } from "../../output/text/visible-text.ts";
import type { ToolCall, ToolContent, ToolResult, ToolUpdate } from "./tool.ts";

/**
 * All text from a tool to a model or a person passes here, so that nothing in it is obeyed or hidden: messages of exceptions,
 * names of files, lines of files. `details` stays unchanged, because only `view/` shows it, which does the same.
 */
export function visibleResult<Details extends object>(result: ToolResult<Details>): ToolResult<Details> {
  return { ...result, content: result.content.map(visibleContent), structured: visibleStrings(result.structured) };
}

/** A call whose host gets only visible text. */
export function visibleCall<Details extends object>({
  signal,
  onUpdate,
  answer,
}: ToolCall<Details>): ToolCall<Details> {
  return {
    signal,
    onUpdate: onUpdate && ((update) => onUpdate(visibleUpdate(update))),
    answer: answer && ((prompt, ...rest) => answer(visibleText(prompt), ...rest)),
  };
}

function visibleUpdate<Details extends object>({ text, details, bars }: ToolUpdate<Details>): ToolUpdate<Details> {
  return { text: visibleText(text), details, ...(bars !== undefined && { bars: visibleStrings(bars) }) };
}

function visibleContent(part: ToolContent): ToolContent {
  if (part.type === "text") return { ...part, text: visibleText(part.text) };
  return part.type === "link" ? { ...part, name: visibleText(part.name) } : part;
}
