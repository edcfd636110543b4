import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { visibleText } from "../../output/text/visible-text.ts";
import { isGranaryError } from "../../support/granary-error.ts";
import type { AgentContext } from "./agent-context.ts";
import { callTool } from "./call/call-tool.ts";
import { instructions } from "./instructions.ts";
import { listedTool } from "./listed-tool.ts";

export interface McpServerOptions {
  /** The protocol's revision: `legacy` has connections, `modern` has single requests. */
  readonly era: "legacy" | "modern";
  /** Granary's version, for clients that show it. */
  readonly version: string;
}

/**
 * The protocol's side of an agent context, for one connection or one request. All lasting state belongs to the agent context.
 *
 * @example
 * const server = createMcpServer(agent, { era: "legacy", version: "1.0.0" });
 */
export function createMcpServer(agent: AgentContext, { era, version }: McpServerOptions): Server {
  const server = new Server(
    { name: "granary", title: "Granary", version },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, logging: {} },
      instructions: instructions(agent),
    },
  );
  server.setRequestHandler("tools/list", async (_, context) => {
    for (const notice of agent.notices) await context.mcpReq.log("warning", visibleText(notice), "granary");
    return { tools: agent.tools.map(listedTool) };
  });
  server.setRequestHandler("tools/call", (request, context) =>
    callTool(request, { agent, context, era, canAsk: clientCanBeAsked(server, context) }),
  );
  server.setRequestHandler("resources/list", async () => ({ resources: await agent.resources.list() }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: agent.resources.templates }));
  server.setRequestHandler("resources/read", ({ params }, context) => readResource(agent, params.uri, context));
  return server;
}

async function readResource({ resources }: AgentContext, uri: string, { mcpReq }: ServerContext) {
  try {
    return { contents: [await resources.read(uri, mcpReq.signal)] };
  } catch (error) {
    if (!isGranaryError(error, "unreadable-resource")) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, visibleText(error.message), { uri });
  }
}

/** Whether the client shows questions to a person. Every request says so in the newer revision, `initialize` in the older. */
function clientCanBeAsked(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
  const { elicitation } = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
  if (elicitation === undefined) return false;
  // A client that names no mode supports forms, the first mode of the protocol.
  return elicitation.form !== undefined || elicitation.url === undefined;
}
