import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import { visibleText } from "../../output/text/visible-text.ts";
import type { Desk } from "./agent-context.ts";
import { callTool } from "./call/call-tool.ts";
import { clientCanBeAsked } from "./client-capabilities.ts";
import { instructions } from "./instructions.ts";
import { listedTool } from "./listed-tool.ts";
import { ResourceError } from "./resources/resource-error.ts";

export interface McpServerOptions {
  /** Of the two revisions: `legacy` has connections, `modern` has single requests. */
  readonly era: "legacy" | "modern";
  /** Granary's own, for clients that show it. */
  readonly version: string;
}

/** The protocol's side of a desk, for one connection or one request. Everything that lasts is the desk's. */
export function createMcpServer(desk: Desk, { era, version }: McpServerOptions): Server {
  const server = new Server(
    { name: "granary", title: "Granary", version },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, logging: {} },
      instructions: instructions(desk),
    },
  );
  server.setRequestHandler("tools/list", async (_, context) => {
    for (const notice of desk.notices) await context.mcpReq.log("warning", visibleText(notice), "granary");
    return { tools: desk.tools.map(listedTool) };
  });
  server.setRequestHandler("tools/call", (request, context) =>
    callTool(request, { desk, context, era, canAsk: clientCanBeAsked(server, context) }),
  );
  server.setRequestHandler("resources/list", async () => ({ resources: await desk.resources.list() }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: desk.resources.templates }));
  server.setRequestHandler("resources/read", ({ params }, context) => readResource(desk, params.uri, context));
  return server;
}

async function readResource({ resources }: Desk, uri: string, { mcpReq }: ServerContext) {
  try {
    return { contents: [await resources.read(uri, mcpReq.signal)] };
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, visibleText(error.message), { uri });
  }
}
