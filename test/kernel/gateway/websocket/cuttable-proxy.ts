import { connect, createServer, type NetConnectOpts, type Server, type Socket } from "node:net";

/** Stands between a client and a server, and can break what passes through it. */
export class CuttableProxy {
  readonly #sockets = new Set<Socket>();
  readonly #fromServer = new Map<Socket, Socket>();
  readonly #server: Server;
  #isOpen = true;
  /** The number of connections, including refused ones. */
  connections = 0;

  private constructor(target: NetConnectOpts) {
    this.#server = createServer((client) => {
      this.connections++;
      if (!this.#isOpen) return void client.destroy();
      const upstream = connect(target);
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => this.#sockets.delete(socket));
      }
      client.pipe(upstream).on("close", () => client.destroy());
      upstream.pipe(client).on("close", () => upstream.destroy());
      this.#fromServer.set(upstream, client);
      upstream.on("close", () => this.#fromServer.delete(upstream));
    });
  }

  /** @param server the URL of one on this machine, or where else it listens */
  static async before(server: string | NetConnectOpts): Promise<CuttableProxy> {
    const target = typeof server === "string" ? { port: Number(new URL(server).port), host: "127.0.0.1" } : server;
    const proxy = new CuttableProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Breaks every connection, without a close message. */
  cut(): void {
    for (const socket of this.#sockets) {
      // Only TCP knows such an end.
      if (socket.remotePort === undefined) socket.destroy();
      else socket.resetAndDestroy();
    }
  }

  /** Drops everything that the server sends from now on, until the connections are cut. */
  swallow(): void {
    for (const [upstream, client] of this.#fromServer) upstream.unpipe(client).resume();
  }

  /** Refuses all connections from now on. */
  shut(): void {
    this.#isOpen = false;
    this.cut();
  }

  reopen(): void {
    this.#isOpen = true;
  }

  async close(): Promise<void> {
    this.shut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
