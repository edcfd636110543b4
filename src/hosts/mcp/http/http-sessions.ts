import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { sayCount } from "../../../support/say-count.ts";
import type { AgentContext } from "../agent-context.ts";
import { EventLog } from "./event-log.ts";

export interface HttpSessionsOptions {
  openAgent(sessionId: string): Promise<AgentContext>;
  createServer(agent: AgentContext): Server;
  /** A session unused for this long is closed, with its kernels. */
  readonly idleMs: number;
  readonly most: number;
  /** At this limit, the session unused for longest is closed if it was idle this long; an hour by default. */
  readonly keptMs?: number;
  /** The same for a session that never called a tool, and so has nothing to lose; ten seconds by default. */
  readonly abandonedMs?: number;
  /** The interval between checks for idle sessions. */
  readonly sweepMs?: number;
}

interface HttpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly agent: AgentContext;
  readonly stopTelling: () => void;
  /** Whether it has called a tool. */
  hasCalled: boolean;
  /** Open requests and streams. */
  inUse: number;
  lastUsed: number;
}

/** One user's sessions of the older revision. Each has an agent context and outlives its connections. */
export class HttpSessions {
  readonly #options: HttpSessionsOptions;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #sweeper: NodeJS.Timeout;
  /** Sessions that are being opened count towards the limit. */
  #opening = 0;

  constructor(options: HttpSessionsOptions) {
    this.#options = options;
    const { sweepMs = 30_000 } = options;
    this.#sweeper = setInterval(() => void this.closeIdle(), sweepMs).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  async handle(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request);
    const session = this.#sessions.get(id);
    // The protocol makes a client begin a new session after a 404.
    if (session === undefined) return refusedResponse(404, "There is no such session: it was closed, or is not yours.");
    session.hasCalled ||= await isToolCall(request);
    return session.transport.handleRequest(request);
  }

  /** Returns a function that releases the session; before that call the session is not idle. */
  use(id: string): () => void {
    const session = this.#sessions.get(id);
    if (session === undefined) return () => undefined;
    session.inUse++;
    return () => {
      session.inUse--;
      session.lastUsed = performance.now();
    };
  }

  async closeIdle(): Promise<void> {
    const usedBefore = performance.now() - this.#options.idleMs;
    const idle = [...this.#sessions].filter(([, { inUse, lastUsed }]) => inUse === 0 && lastUsed <= usedBefore);
    await Promise.all(idle.map(([id]) => this.#close(id)));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#sessions.keys()].map((id) => this.#close(id)));
  }

  async #begin(request: Request): Promise<Response> {
    const body: unknown = await request
      .clone()
      .json()
      .catch(() => undefined);
    // JSON has no undefined.
    if (request.method === "POST" && body === undefined) return refusedResponse(400, "This is not JSON.", -32700);
    if (request.method !== "POST" || !isInitializeRequest(body)) {
      return refusedResponse(
        400,
        "This is not the beginning of a session, and names none: send initialize, or Mcp-Session-Id.",
      );
    }
    if (this.#isFull) await this.#makeRoom();
    if (this.#isFull) {
      return refusedResponse(
        503,
        `${sayCount(this.#options.most, "session")} open already, which is the most. Close one of them, or try again in ten seconds: those that called no tool make room.`,
      );
    }
    const id = randomUUID();
    const agent = await this.#openAgent(id);
    const server = this.#options.createServer(agent);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => this.#close(id),
      eventStore: new EventLog(),
      // Tells a client how soon to reconnect after a broken stream.
      retryInterval: 1000,
    });
    const stopTelling = agent.onToolsChanged(() => void server.sendToolListChanged().catch(() => undefined));
    this.#sessions.set(id, { transport, agent, stopTelling, hasCalled: false, inUse: 0, lastUsed: performance.now() });
    await server.connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  }

  get #isFull(): boolean {
    return this.#sessions.size + this.#opening >= this.#options.most;
  }

  /** Otherwise clients that disappeared would block the others for a day. Sessions without anything to lose go first. */
  async #makeRoom(): Promise<void> {
    const { keptMs = 60 * 60_000, abandonedMs = 10_000 } = this.#options;
    const now = performance.now();
    const unused = [...this.#sessions].filter(
      ([, { inUse, lastUsed, hasCalled }]) => inUse === 0 && lastUsed <= now - (hasCalled ? keptMs : abandonedMs),
    );
    const [oldest] = unused.sort(
      ([, one], [, other]) => Number(one.hasCalled) - Number(other.hasCalled) || one.lastUsed - other.lastUsed,
    );
    if (oldest !== undefined) await this.#close(oldest[0]);
  }

  async #openAgent(id: string): Promise<AgentContext> {
    this.#opening++;
    try {
      return await this.#options.openAgent(id);
    } finally {
      this.#opening--;
    }
  }

  async #close(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    session.stopTelling();
    await session.transport.close();
    await session.agent.close();
  }
}

async function isToolCall(request: Request): Promise<boolean> {
  if (request.method !== "POST") return false;
  const body = await request
    .clone()
    .text()
    .catch(() => "");
  // In any doubt it is one: such a session is kept for longer.
  return body.includes("tools/call") || body.includes("\\u");
}

/** The answer to a refused request; the sentence names what would be accepted. */
function refusedResponse(status: number, message: string, code = status === 404 ? -32001 : -32000): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
