/** `granary/mcp`: the server for programs that bring their own transport, tools or workspace. */
export type { AgentContext } from "./agent-context.ts";
export type { HttpAddress } from "./http/http-address.ts";
export { type HttpServer, type ServeHttpOptions, serveHttp } from "./http/serve-http.ts";
export { createMcpServer, type McpServerOptions } from "./mcp-server.ts";
export { openWorkspace, type WorkspaceOptions } from "./open-workspace.ts";
export { type ServeStdioOptions, serveStdio } from "./serve-stdio.ts";
export type { AgentChoice, Workspace } from "./workspace.ts";
