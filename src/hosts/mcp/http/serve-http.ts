import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import type { Server } from "@modelcontextprotocol/server";
import { cutUnreadConnections } from "../../../support/http/unread-connections.ts";
import type { AgentContext } from "../agent-context.ts";
import { createMcpServer, type McpServerOptions } from "../mcp-server.ts";
import type { Workspace } from "../workspace.ts";
import { admission, refuse } from "./admission.ts";
import { allowedHostnames, type HttpAddress, inUrl } from "./http-address.ts";
import { HttpUser } from "./http-user.ts";
import { HttpUsers } from "./http-users.ts";

export interface ServeHttpOptions {
  readonly address: HttpAddress;
  /** Each token is a user with kernels of its own; null lets every client in. */
  readonly tokens: readonly string[] | null;
  readonly version: string;
  /** Called for each user at its first request. */
  openWorkspace(user: string): Promise<Workspace>;
  /** More host names of the server, such as a proxy's. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly idleMs?: number | undefined;
  readonly mostSessions?: number | undefined;
  readonly longestRequest?: number | undefined;
  /** @internal Limits for slow connections; tests shorten them. */
  readonly timeouts?: HttpTimeouts | undefined;
  readonly createServer?: ((agent: AgentContext, options: McpServerOptions) => Server) | undefined;
  readonly onError?: ((error: Error) => void) | undefined;
}

/** How long a connection may take; slower ones are closed. */
interface HttpTimeouts {
  /** Until the headers of a request have come. */
  readonly headersMs: number;
  /** Until the whole request has come. */
  readonly requestMs: number;
  /** Until a client has read a part of what was sent. */
  readonly unreadMs?: number;
}

const usualTimeouts: HttpTimeouts = { headersMs: 10_000, requestMs: 120_000 };
const mostConnections = 512;

export interface HttpServer {
  readonly url: string;
  /** Closes everything: connections, sessions, kernels. */
  close(): Promise<void>;
}

const path = "/mcp";

/**
 * Serves both revisions of the protocol over streamable HTTP, at `/mcp`.
 *
 * @example
 * const server = await serveHttp({ port: 4000, tokens: ["secret"], openWorkspace: () => openWorkspace(options), version });
 */
export async function serveHttp(options: ServeHttpOptions): Promise<HttpServer> {
  const { address, tokens, version, onError, longestRequest = 16_000_000, createServer = createMcpServer } = options;
  const { allowedHosts = [], timeouts = usualTimeouts } = options;
  const admit = admission({ path, tokens, allowedHosts, hostnames: allowedHostnames(address.host, allowedHosts) });
  const users = new HttpUsers(async (name) => {
    return new HttpUser(await options.openWorkspace(name), {
      createServer: (agent, { era }) => createServer(agent, { era, version }),
      idleMs: options.idleMs ?? 24 * 60 * 60_000,
      mostSessions: options.mostSessions ?? 64,
      longestRequest,
      onError,
    });
  });

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A refused request ends its connection: Node would read the rest of its body, which may have no end.
    const { shouldKeepAlive } = response;
    response.shouldKeepAlive = false;
    const name = admit(request, response);
    if (name === null) return;
    response.shouldKeepAlive = shouldKeepAlive;
    const user = await users.named(name);
    const sessionId = request.headers["mcp-session-id"];
    if (typeof sessionId === "string") response.once("close", user.sessions.use(sessionId));
    const handler = { fetch: (webRequest: Request) => user.handle(webRequest) };
    const handle = toNodeHandler(handler, { maxRequestBodySize: longestRequest, onerror: (error) => onError?.(error) });
    await handle(request as NodeIncomingMessageLike, response);
  };

  const { requestMs: requestTimeout, headersMs: headersTimeout } = timeouts;
  // Node looks for late requests only every half minute.
  const limits = { requestTimeout, headersTimeout, connectionsCheckingInterval: Math.min(1000, headersTimeout) };
  const server = createHttpServer(limits, (request, response) => {
    // A stream may be silent for hours.
    request.socket.setTimeout(0);
    serve(request, response).catch((error: Error) => {
      onError?.(error);
      if (!response.headersSent) refuse(response, 500, error.message);
    });
  });
  server.maxConnections = mostConnections;
  cutUnreadConnections(server, timeouts.unreadMs);
  // Node's limits count from the first byte, which may never come.
  server.on("connection", (socket) => socket.setTimeout(timeouts.headersMs, () => socket.destroy()));
  server.listen(address.port, address.host);
  await once(server, "listening");
  // A connection that cannot be accepted, as when descriptors run out, affects only its own client.
  server.on("error", (error) => onError?.(error));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${inUrl(address.host)}:${port}${path}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      await users.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
