import type { ToolContent } from "../../tools/definition/tool.ts";

/** A tool's result so far. */
export interface ShownResult {
  readonly details: object | null;
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
  /** True while the tool runs. */
  readonly isPartial: boolean;
}

/** All of the model's text. */
export function contentText({ content }: Pick<ShownResult, "content">): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
