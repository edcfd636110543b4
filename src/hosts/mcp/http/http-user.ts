import { createMcpHandler, isLegacyRequest, type McpHttpHandler, type Server } from "@modelcontextprotocol/server";
import type { AgentContext } from "../agent-context.ts";
import type { McpServerOptions } from "../mcp-server.ts";
import type { Workspace } from "../workspace.ts";
import { HttpSessions } from "./http-sessions.ts";

export interface HttpUserOptions {
  createServer(agent: AgentContext, options: Pick<McpServerOptions, "era">): Server;
  readonly idleMs: number;
  readonly mostSessions: number;
  readonly longestRequest: number;
  readonly onError?: ((error: Error) => void) | undefined;
}

/**
 * The holder of one token, with both revisions of the protocol in the same workspace: a session of the older has an agent
 * context of its own, and the requests of the newer, which has no sessions, share one.
 */
export class HttpUser {
  readonly sessions: HttpSessions;
  readonly #workspace: Workspace;
  readonly #modern: McpHttpHandler;
  readonly #options: HttpUserOptions;
  #sharedAgent: Promise<AgentContext> | null = null;

  constructor(workspace: Workspace, options: HttpUserOptions) {
    this.#workspace = workspace;
    this.#options = options;
    this.sessions = new HttpSessions({
      openAgent: (id) => workspace.openAgent({ session: `http-${id.slice(0, 8)}`, owner: id }),
      createServer: (agent) => options.createServer(agent, { era: "legacy" }),
      idleMs: options.idleMs,
      most: options.mostSessions,
    });
    this.#modern = createMcpHandler(async () => options.createServer(await this.#shared(), { era: "modern" }), {
      legacy: "reject",
      maxRequestBodySize: options.longestRequest,
      onerror: (error) => options.onError?.(error),
    });
  }

  async handle(request: Request): Promise<Response> {
    const isOlder = await isLegacyRequest(request, undefined, { maxRequestBodySize: this.#options.longestRequest });
    return isOlder ? this.sessions.handle(request) : this.#modern.fetch(request);
  }

  async close(): Promise<void> {
    await Promise.all([this.sessions.close(), this.#modern.close()]);
    await (await this.#sharedAgent?.catch(() => null))?.close();
    await this.#workspace.close();
  }

  #shared(): Promise<AgentContext> {
    this.#sharedAgent ??= this.#openShared().catch((error) => {
      // Try again at the next request: the cause of the failure may be gone.
      this.#sharedAgent = null;
      throw error;
    });
    return this.#sharedAgent;
  }

  async #openShared(): Promise<AgentContext> {
    const agent = await this.#workspace.openAgent({ session: "main", owner: "main" });
    agent.onToolsChanged(() => this.#modern.notify.toolsChanged());
    return agent;
  }
}
