import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { Tool, ToolContent, ToolResult } from "../../../tools/definition/tool.ts";

export function toCallToolResult(result: ToolResult, { outputSchema }: Pick<Tool, "outputSchema">): CallToolResult {
  // Clients refuse results that do not match the schema. That includes failures, whose text is complete anyway.
  const structured = outputSchema.safeParse(result.structured);
  return {
    content: result.content.map(toContentBlock),
    ...(structured.success ? { structuredContent: structured.data } : {}),
    ...(result.isError ? { isError: true } : {}),
  };
}

function toContentBlock(content: ToolContent): ContentBlock {
  switch (content.type) {
    case "text":
      return { type: "text", text: content.text };
    case "image":
      return { type: "image", data: content.base64, mimeType: content.mimeType };
    case "link": {
      const { uri, name, mimeType } = content;
      return { type: "resource_link", uri, name, ...(mimeType === null ? {} : { mimeType }) };
    }
    default:
      return content satisfies never;
  }
}
