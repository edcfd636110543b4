import type { ToolContent } from "../../tools/definition/tool.ts";

/** What a tool has answered so far. */
export interface ShownResult {
  readonly details: object | null;
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
  /** True while it goes on. */
  readonly isPartial: boolean;
}

/** All of the text that a model is given. */
export function contentText({ content }: Pick<ShownResult, "content">): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
