import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** Whether the client shows questions to a person. In the newer revision every request says so, in the older its beginning. */
export function clientCanBeAsked(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
  const { elicitation } = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
  if (elicitation === undefined) return false;
  // One that names no mode means forms, which came first.
  return elicitation.form !== undefined || elicitation.url === undefined;
}
