import { createMcpHandler, isLegacyRequest, type McpHttpHandler, type Server } from "@modelcontextprotocol/server";
import type { Desk } from "../agent-context.ts";
import type { McpServerOptions } from "../mcp-server.ts";
import type { Workplace } from "../workspace.ts";
import { HttpSessions } from "./http-sessions.ts";

export interface HttpUserOptions {
  createServer(desk: Desk, options: Pick<McpServerOptions, "era">): Server;
  readonly idleMs: number;
  readonly mostSessions: number;
  readonly longestRequest: number;
  readonly onError?: ((error: Error) => void) | undefined;
}

/**
 * One bearer of a token, with both revisions of the protocol at the same workplace: a session of the older has a desk of
 * its own, and the requests of the newer, which know no sessions, share one.
 */
export class HttpUser {
  readonly sessions: HttpSessions;
  readonly #workplace: Workplace;
  readonly #modern: McpHttpHandler;
  readonly #options: HttpUserOptions;
  #sharedDesk: Promise<Desk> | null = null;

  constructor(workplace: Workplace, options: HttpUserOptions) {
    this.#workplace = workplace;
    this.#options = options;
    this.sessions = new HttpSessions({
      openDesk: (id) => workplace.openDesk({ session: `http-${id.slice(0, 8)}`, owner: id }),
      createServer: (desk) => options.createServer(desk, { era: "legacy" }),
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
    await (await this.#sharedDesk?.catch(() => null))?.close();
    await this.#workplace.close();
  }

  #shared(): Promise<Desk> {
    this.#sharedDesk ??= this.#openShared().catch((error) => {
      // What kept it from opening may be over at the next request.
      this.#sharedDesk = null;
      throw error;
    });
    return this.#sharedDesk;
  }

  async #openShared(): Promise<Desk> {
    const desk = await this.#workplace.openDesk({ session: "main", owner: "main" });
    desk.onToolsChanged(() => this.#modern.notify.toolsChanged());
    return desk;
  }
}
