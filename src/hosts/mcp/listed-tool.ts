import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { jsonSchema } from "../../tools/definition/json-schema.ts";
import type { Tool } from "../../tools/definition/tool.ts";

/** A tool as `tools/list` describes it. */
export function listedTool({ name, title, description, inputSchema, outputSchema, hints }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: jsonSchema(inputSchema, "input") as ListedTool["inputSchema"],
    outputSchema: jsonSchema(outputSchema, "output") as ListedTool["inputSchema"],
    annotations: {
      readOnlyHint: hints.readOnly,
      ...(hints.readOnly ? {} : { destructiveHint: hints.destructive }),
      idempotentHint: hints.idempotent,
      openWorldHint: hints.openWorld,
    },
  };
}
