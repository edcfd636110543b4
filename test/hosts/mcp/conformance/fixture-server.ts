import type { Tool as ListedTool, PromptMessage, Server } from "@modelcontextprotocol/server";
import type { AgentContext } from "../../../../src/hosts/mcp/agent-context.ts";
import { callTool } from "../../../../src/hosts/mcp/call/call-tool.ts";
import { listedTool } from "../../../../src/hosts/mcp/listed-tool.ts";
import { createMcpServer, type McpServerOptions } from "../../../../src/hosts/mcp/mcp-server.ts";
import { pixel } from "./fixture-media.ts";
import { fixtureTools } from "./fixture-tools.ts";

/** Our server with the conformance suite's tools beside our own, and with prompts, which ours lacks. */
export function createFixtureServer(agent: AgentContext, options: McpServerOptions): Server {
  const server = createMcpServer(agent, options);
  server.registerCapabilities({ prompts: {}, completions: {}, resources: { subscribe: true } });
  server.setRequestHandler("tools/list", () => ({ tools: [...agent.tools.map(listedTool), ...listedFixtures()] }));
  server.setRequestHandler("tools/call", (request, context) => {
    const fixture = fixtureTools[request.params.name];
    if (fixture !== undefined) return fixture.run(request.params.arguments ?? {}, context);
    return callTool(request, { agent, context, era: options.era, canAsk: false });
  });
  server.setRequestHandler("resources/list", () => ({
    resources: ["static-text", "static-binary", "watched-resource"].map((name) => ({
      uri: `test://${name}`,
      name,
      description: `For the conformance suite: ${name}`,
    })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template" }],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => ({ contents: [contentsOf(uri)] }));
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.entries(prompts).map(([name, { args }]) => ({
      name,
      description: `For the conformance suite: ${name}`,
      arguments: args.map((arg) => ({ name: arg, description: arg, required: true })),
    })),
  }));
  server.setRequestHandler("prompts/get", ({ params }) => ({
    messages: prompts[params.name]?.messages(params.arguments ?? {}) ?? [],
  }));
  server.setRequestHandler("completion/complete", () => ({ completion: { values: [] } }));
  return server;
}

function listedFixtures(): ListedTool[] {
  return Object.entries(fixtureTools).map(([name, { inputSchema }]) => ({
    name,
    description: `For the conformance suite: ${name}`,
    inputSchema: inputSchema ?? { type: "object" },
  }));
}

function contentsOf(uri: string) {
  if (uri === "test://static-text") {
    return { uri, mimeType: "text/plain", text: "This is the content of the static text resource." };
  }
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: pixel };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1] ?? "";
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { uri, mimeType: "application/json", text };
}

interface FixturePrompt {
  readonly args: readonly string[];
  messages(args: Readonly<Record<string, string>>): PromptMessage[];
}

const prompts: Readonly<Record<string, FixturePrompt>> = {
  test_simple_prompt: { args: [], messages: () => [says("This is a simple prompt for testing.")] },
  test_prompt_with_arguments: {
    args: ["arg1", "arg2"],
    messages: ({ arg1, arg2 }) => [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    args: ["resourceUri"],
    messages: ({ resourceUri: uri = "" }) => [
      {
        role: "user",
        content: {
          type: "resource",
          resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
        },
      },
      says("Please process the embedded resource above."),
    ],
  },
  test_prompt_with_image: {
    args: [],
    messages: () => [
      { role: "user", content: { type: "image", data: pixel, mimeType: "image/png" } },
      says("Please analyze the image above."),
    ],
  },
};

function says(text: string): PromptMessage {
  return { role: "user", content: { type: "text", text } };
}
