import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerCall } from "../kernel/answer-call.ts";
import type { HostCallArguments, OnHostCall } from "../kernel/host-call.ts";
import { GranaryError, isGranaryError } from "../support/granary-error.ts";
import { isTooCostlyText } from "../support/json/costly-json.ts";
import { Tickets } from "./tickets.ts";

/** The address that one session's Python calls. */
export interface Ticket {
  readonly url: string;
  /** Valid for this session only. */
  readonly token: string;
  readonly session: string;
}

/** Takes the calls of kernels whose own wire does not carry them. It listens on loopback and requires a token. */
export class LoopbackServer {
  readonly #tickets = new Tickets();
  #server: Promise<Server> | undefined;

  /** Starts the server at the first call. The ticket is valid until `revoke`. */
  async admit(session: string, onHostCall: OnHostCall): Promise<Ticket & { revoke(): void }> {
    this.#server ??= this.#listen().catch((error) => {
      // The next kernel tries again.
      this.#server = undefined;
      throw error;
    });
    const { port } = (await this.#server).address() as AddressInfo;
    const token = this.#tickets.issue(session, onHostCall);
    return { url: `http://127.0.0.1:${port}`, token, session, revoke: () => this.#tickets.revoke(token) };
  }

  /** Aborts running calls. */
  async close(): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  async #listen(): Promise<Server> {
    const server = createServer((request, response) => void this.#serve(request, response));
    // A tool may take any amount of time.
    server.requestTimeout = 0;
    await new Promise<void>((resolve, reject) => {
      // The listener stays: a connection that cannot be accepted, for lack of descriptors, must not crash the host.
      server.on("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    // The server alone must not keep the process alive.
    return server.unref();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = whyRefused(request);
    if (refused !== null) return refuse(response, refused, "Requests from a browser are not accepted.");
    const onHostCall = this.#tickets.check(request.headers.authorization);
    if (onHostCall === null) return refuse(response, 401, "The token is unknown or expired.");
    try {
      const call = decode(await readBody(request));
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      const reply = await answerCall(onHostCall, { ...call, signal: gone.signal });
      if (reply !== null) response.writeHead(200, { "content-type": "application/json" }).end(reply);
    } catch (error) {
      refuse(response, isGranaryError(error, "too-large") ? 413 : 400, (error as Error).message);
    }
  }
}

/** A web page can send requests here: by another name for this machine, or from its own origin. */
function whyRefused({ method, url, headers, socket }: IncomingMessage): number | null {
  const names = ["127.0.0.1", "localhost"].map((name) => `${name}:${socket.localPort}`);
  if (!names.includes(headers.host ?? "") || headers.origin !== undefined) return 403;
  return method === "POST" && url === "/call" && headers["content-type"] === "application/json" ? null : 404;
}

/** In the format that Python reads failures in. */
function refuse(response: ServerResponse, status: number, message: string): void {
  const code = status === 413 ? "too-large" : "refused";
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify({ error: { code, message } }));
}

function decode(body: string): { name: string; args: HostCallArguments; onMainThread: boolean } {
  if (isTooCostlyText(body)) throw new GranaryError("too-large", tooManyValues);
  const { name, args, main } = JSON.parse(body) as Record<string, unknown>;
  if (typeof name !== "string" || typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new TypeError('A call is {"name": "…", "args": {…}}.');
  }
  return { name, args: args as HostCallArguments, onMainThread: main === true };
}

const limitMegabytes = 64;
const tooManyValues = "The arguments have too many values to be sent. Write a file, and send its path.";

/** The text of a request, up to a limit: longer content belongs into a file. */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    // Read to its end all the same, so that the sender gets to read the answer.
    if (bytes <= limitMegabytes * 1_000_000) chunks.push(chunk as Buffer);
    else chunks.length = 0;
  }
  if (bytes > limitMegabytes * 1_000_000) {
    throw new GranaryError(
      "too-large",
      `The arguments have ${Math.round(bytes / 1e6)} MB; at most ${limitMegabytes} MB can be sent. Write a file, and send its path.`,
    );
  }
  return Buffer.concat(chunks).toString("utf8");
}
