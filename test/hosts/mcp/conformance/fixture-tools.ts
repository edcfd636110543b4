import { setTimeout as sleep } from "node:timers/promises";
import type { CallToolResult, Tool as ListedTool, ServerContext } from "@modelcontextprotocol/server";
import { say, toolThat } from "../test-agent.ts";
import { pixel, silence } from "./fixture-media.ts";

/** Tools of the suite that ours could be: these go all the way through `callTool`. */
export const ownTools = [
  toolThat("test_simple_text", async () => say("This is a simple text response for testing.")),
  toolThat("test_image_content", async () => ({
    content: [{ type: "image", base64: pixel, mimeType: "image/png" }],
  })),
  toolThat("test_error_handling", async () => {
    throw new Error("This tool intentionally returns an error for testing");
  }),
];

export interface FixtureTool {
  readonly inputSchema?: ListedTool["inputSchema"] | undefined;
  run(args: Readonly<Record<string, unknown>>, context: ServerContext): Promise<CallToolResult>;
}

/** Tools of the suite that ours never are: they test the transport. */
export const fixtureTools: Readonly<Record<string, FixtureTool>> = {
  test_audio_content: {
    run: async () => ({ content: [{ type: "audio", data: silence, mimeType: "audio/wav" }] }),
  },
  test_embedded_resource: {
    run: async () => ({
      content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    }),
  },
  test_multiple_content_types: {
    run: async () => ({
      content: [
        { type: "text", text: "Multiple content types test:" },
        { type: "image", data: pixel, mimeType: "image/png" },
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ],
    }),
  },
  test_tool_with_logging: {
    run: async (_, { mcpReq }) => {
      for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await mcpReq.log("info", message);
        await sleep(50);
      }
      return text("logged");
    },
  },
  test_tool_with_progress: {
    run: async (_, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        const params = { progressToken, progress, total: 100 };
        if (progressToken !== undefined) await mcpReq.notify({ method: "notifications/progress", params });
        await sleep(50);
      }
      return text("progressed");
    },
  },
  test_sampling: {
    inputSchema: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
    run: async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: "user", content: { type: "text", text: prompt } }];
      const answer = await mcpReq.send({ method: "sampling/createMessage", params: { messages, maxTokens: 100 } });
      return text(`LLM response: ${JSON.stringify(answer.content)}`);
    },
  },
  test_elicitation: {
    inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
    run: async ({ message }, context) => {
      const properties = {
        username: { type: "string", description: "User's response" },
        email: { type: "string", description: "User's email address" },
      };
      return text(
        `User response: ${await elicit(String(message), { properties, required: Object.keys(properties) }, context)}`,
      );
    },
  },
  test_elicitation_sep1034_defaults: {
    run: async (_, context) => {
      const properties = {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      };
      return text(`Elicitation completed: ${await elicit("Defaults", { properties }, context)}`);
    },
  },
  test_elicitation_sep1330_enums: {
    run: async (_, context) => {
      const plain = ["option1", "option2", "option3"];
      const titled = [1, 2, 3].map((number) => ({ const: `value${number}`, title: `Option ${number}` }));
      const properties = {
        untitledSingle: { type: "string", enum: plain },
        titledSingle: { type: "string", oneOf: titled },
        legacyEnum: {
          type: "string",
          enum: ["opt1", "opt2", "opt3"],
          enumNames: ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti: { type: "array", items: { type: "string", enum: plain } },
        titledMulti: { type: "array", items: { anyOf: titled } },
      };
      return text(`Elicitation completed: ${await elicit("Enums", { properties }, context)}`);
    },
  },
  json_schema_2020_12_tool: {
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    },
    run: async () => text("schema"),
  },
  test_reconnection: {
    run: async (_, { http }) => {
      await sleep(50);
      http?.closeSSE?.();
      await sleep(100);
      return text("after the stream was closed");
    },
  },
};

async function elicit(message: string, schema: object, { mcpReq }: ServerContext): Promise<string> {
  const params = { mode: "form", message, requestedSchema: { type: "object", ...schema } };
  const { action, content } = await mcpReq.send({ method: "elicitation/create", params });
  return `action=${action}, content=${JSON.stringify(content)}`;
}

function text(words: string): CallToolResult {
  return { content: [{ type: "text", text: words }] };
}

function embedded(uri: string, mimeType: string, words: string) {
  return { type: "resource", resource: { uri, mimeType, text: words } } as const;
}
