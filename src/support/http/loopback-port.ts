import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { loopbackHosts, whyForeign } from "./foreign-request.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";
import { cutUnreadConnections } from "./unread-connections.ts";

/** Answers the requests below a path. Host and Origin of these are checked. */
export interface Site {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Without it, upgrades are refused. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
}

export interface LoopbackPortOptions {
  /** 0 for any free port. */
  readonly port?: number | undefined;
  /** For the head of a request, and for all of it: a slow client keeps no connection forever. */
  readonly timeouts?: { readonly headersMs: number; readonly requestMs: number } | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
  /** @internal Tests shorten the time. */
  readonly unreadMs?: number | undefined;
}

/**
 * A port of this machine with several sites. It refuses every request and every upgrade that names another host, or comes
 * from a page of another origin, before a site sees it.
 */
export class LoopbackPort {
  readonly port: number;
  readonly #server: Server;
  readonly #hosts: ReadonlySet<string>;
  readonly #sites = new Map<string, Site>();

  private constructor(server: Server, { onError }: LoopbackPortOptions) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.#hosts = loopbackHosts(this.port);
    server.on("request", (request: IncomingMessage, response: ServerResponse) => this.#handle(request, response));
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    );
    // A connection that cannot be accepted, as when descriptors run out, affects only its own client.
    server.on("error", (error) => onError?.(error));
  }

  static async open(options: LoopbackPortOptions = {}): Promise<LoopbackPort> {
    const { headersMs: headersTimeout, requestMs: requestTimeout } = options.timeouts ?? usualTimeouts;
    // Node looks for late requests only every half minute.
    const connectionsCheckingInterval = Math.min(1000, headersTimeout);
    const server = createServer({ headersTimeout, requestTimeout, connectionsCheckingInterval });
    server.maxConnections = mostConnections;
    cutUnreadConnections(server, options.unreadMs);
    server.listen(options.port ?? 0, "127.0.0.1");
    await once(server, "listening");
    return new LoopbackPort(server, options);
  }

  /** @param below the first part of the paths, such as `page`; "" for all paths that no other site has */
  mount(below: string, site: Site): void {
    this.#sites.set(below, site);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    await Promise.all([...this.#sites.values()].map((site) => site.close()));
    this.#server.closeAllConnections();
    await closed;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const foreign = whyForeign(request, this.#hosts);
    const site = this.#siteOf(request);
    if (foreign === null && site !== undefined) return site.handle(request, response);
    response.writeHead(403, { "Content-Type": "application/json", "Cache-Control": "no-store" });
    response.end(JSON.stringify({ message: foreign ?? nothingThere }));
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => {}); // of a client that has left
    const foreign = whyForeign(request, this.#hosts);
    const site = this.#siteOf(request);
    if (foreign === null && site?.upgrade !== undefined) return site.upgrade(request, socket, head);
    refuseUpgrade(socket, 403, foreign ?? nothingThere);
  }

  #siteOf({ url = "/" }: IncomingMessage): Site | undefined {
    const first = /^\/([^/?#]*)/.exec(url)?.[1] ?? "";
    return this.#sites.get(first) ?? this.#sites.get("");
  }
}

const nothingThere = "Forbidden.";
const usualTimeouts = { headersMs: 10_000, requestMs: 120_000 };
const mostConnections = 512;
