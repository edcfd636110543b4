import type { ToolContent } from "../definition/tool.ts";

/** A line before the content; one text up to the first picture, since some hosts show only the first text. */
export function withHead(head: string, content: readonly ToolContent[]): readonly ToolContent[] {
  const [first, ...others] = content;
  if (first?.type !== "text") return [{ type: "text", text: head }, ...content];
  return [{ type: "text", text: `${head}\n\n${first.text}` }, ...others];
}
