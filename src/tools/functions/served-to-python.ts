import { HostCallError, type HostTools } from "../../kernel/host-call.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { jsonSchema } from "../definition/json-schema.ts";
import type { Tool, ToolResult } from "../definition/tool.ts";

/** Tools as Python code calls them: `tool.read(path="a.txt")`. */
export function servedToPython(tools: () => readonly Tool[]): HostTools {
  return {
    list: () =>
      tools().map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema: jsonSchema(inputSchema, "input"),
      })),
    async call({ name, args, signal }) {
      const tool = tools().find((each) => each.name === name);
      if (tool === undefined) throw new GranaryError("unknown-tool", `There is no tool ${name} any more.`);
      const { isError, structured, content } = await tool.run(args, { signal });
      const text = textOf(content);
      if (isError) throw new HostCallError(codeOf(structured), text.replace(/^Error: /, ""), { structured });
      return { text, structured, images: content.filter((part) => part.type === "image") };
    },
  };
}

function textOf(content: ToolResult["content"]): string {
  const texts = content.filter((part) => part.type === "text");
  return texts.map(({ text }) => text).join("\n");
}

/** The code of a failed call, or of failed cells. */
function codeOf(structured: ToolResult["structured"]): string {
  const { error, status } = structured as { readonly error?: { readonly code: string }; readonly status?: string };
  return error?.code ?? status ?? "failed";
}
