import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type WebSocket, WebSocketServer } from "ws";
import { legacyCodec, v1Codec, v1Protocol } from "../../../src/kernel/gateway/websocket/websocket-codec.ts";
import type { JupyterMessage } from "../../../src/kernel/jupyter/messages/message.ts";

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Choices {
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Whether it knows only the older framing. */
  readonly legacy?: boolean;
  /** Null: it never answers. */
  readonly answer?: () => Answer | Promise<Answer> | null;
}

/** A server that speaks a gateway's protocol over a real connection, with messages from the test. */
export class StandInServer {
  readonly requests: {
    readonly method: string;
    readonly url: string;
    readonly token: string;
    readonly body: string;
  }[] = [];
  readonly received: JupyterMessage[] = [];
  /** The framing that was agreed upon, and whether compression was offered, for each connection. */
  readonly handshakes: { readonly protocol: string; readonly extensions: string; readonly url: string }[] = [];
  pongs = 0;
  readonly #server: Server;
  readonly #choices: Choices;
  #socket: WebSocket | undefined;

  private constructor(choices: Choices) {
    this.#choices = choices;
    const take = (request: IncomingMessage, response: ServerResponse): void => void this.#reply(request, response);
    this.#server = choices.tls ? createSecureServer(choices.tls, take) : createServer(take);
    const sockets = new WebSocketServer({
      server: this.#server,
      handleProtocols: (offered) => (!choices.legacy && offered.has(v1Protocol) ? v1Protocol : false),
    });
    sockets.on("connection", (socket, request) => this.#connected(socket, request));
  }

  static async start(choices: Choices = {}): Promise<StandInServer> {
    const stand = new StandInServer(choices);
    await new Promise<void>((resolve) => stand.#server.listen(0, "127.0.0.1", resolve));
    return stand;
  }

  get url(): string {
    const { port } = this.#server.address() as { port: number };
    return `${this.#choices.tls ? "https" : "http"}://127.0.0.1:${port}`;
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === 1;
  }

  send(message: JupyterMessage): void {
    this.#socket?.send((this.#choices.legacy ? legacyCodec : v1Codec).encode(message));
  }

  sendRaw(data: string | Uint8Array): void {
    this.#socket?.send(data);
  }

  cut(): void {
    this.#socket?.terminate();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #connected(socket: WebSocket, request: IncomingMessage): void {
    this.#socket = socket;
    const extensions = request.headers["sec-websocket-extensions"] ?? "";
    this.handshakes.push({ protocol: socket.protocol, extensions, url: request.url ?? "" });
    socket.on("pong", () => this.pongs++);
    socket.on("message", (data: Buffer, isBinary) => {
      this.received.push((this.#choices.legacy ? legacyCodec : v1Codec).decode(isBinary ? data : data.toString()));
    });
  }

  async #reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "", headers } = request;
    this.requests.push({ method, url, token: headers.authorization ?? "", body });
    const { answer: decide = () => ({ status: 200, body: {} }) } = this.#choices;
    const answer = await decide();
    if (answer === null) return;
    response.writeHead(answer.status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer.body));
  }
}
