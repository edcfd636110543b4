import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { legacyCodec, v1Codec, v1Protocol } from "../../kernel/gateway/websocket/websocket-codec.ts";
import type { DoorSessions } from "./door-sessions.ts";
import { DoorAdmission, type DoorRules } from "./http/admission.ts";
import { kernelRoutes } from "./http/kernel-routes.ts";
import { readJson } from "./http/read-json.ts";
import { type Answer, namedIn, type Route, refusal } from "./http/route.ts";
import { serverRoutes } from "./http/server-routes.ts";
import { sessionRoutes } from "./http/session-routes.ts";
import { DoorKernels } from "./kernel/door-kernels.ts";

export interface JupyterDoorOptions extends DoorRules {
  readonly sessions: DoorSessions;
  /** Granary's own. */
  readonly version: string;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The path of the only upgrade. */
export const channelsPath = "/api/kernels/:kernel/channels";

const largestMessage = 64 * 1024 * 1024;
const noToken =
  "Forbidden: send the token that `granary hub jupyter` printed, as `Authorization: token …` or `?token=…`.";

/**
 * A Jupyter server in front of the sessions of this process, for any HTTP server: it answers requests and upgrades.
 * Everything is refused that is not in its table, has no token, or comes from another site.
 *
 * @example
 * const door = new JupyterDoor({ sessions: sessionsOf(runtime), token, hosts: loopbackHosts(port), version });
 * server.on("request", door.handle);
 * server.on("upgrade", door.upgrade);
 */
export class JupyterDoor {
  readonly routes: readonly Route[];
  readonly #options: JupyterDoorOptions;
  readonly #admission: DoorAdmission;
  readonly #kernels: DoorKernels;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(v1Protocol) ? v1Protocol : false),
  });

  constructor(options: JupyterDoorOptions) {
    this.#options = options;
    this.#admission = new DoorAdmission(options);
    this.#kernels = new DoorKernels(options.sessions, options.version);
    this.routes = [...serverRoutes(this.#kernels), ...kernelRoutes(this.#kernels), ...sessionRoutes(this.#kernels)];
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#answer(request).then(
      (answer) => send(response, answer),
      (error: unknown) => {
        this.#options.onError?.(error);
        send(response, refusal(500, error instanceof Error ? error.message : String(error)));
      },
    );
  };

  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on("error", () => {}); // of a client that has left
    const visit = this.#admission.admit(request);
    const refused = typeof visit === "string" ? visit : visit.hasToken ? null : noToken;
    if (refused !== null || typeof visit === "string") return refuseUpgrade(socket, 403, refused ?? noToken);
    const kernel = this.#kernels.get(namedIn(channelsPath, visit.path)?.kernel ?? "");
    if (kernel === undefined) return refuseUpgrade(socket, 404, "There is no such kernel.");
    this.#sockets.handleUpgrade(request, socket, head, (accepted) => {
      const codec = accepted.protocol === v1Protocol ? v1Codec : legacyCodec;
      kernel.connect({ socket: accepted, codec }, visit.query.get("session_id"));
    });
  };

  /** Lets go of all sessions; kernels that only the door's clients used end. */
  async close(): Promise<void> {
    await this.#kernels.close();
    this.#sockets.close();
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const visit = this.#admission.admit(request);
    if (typeof visit === "string") return refusal(403, visit);
    const there = this.#routesAt(visit.path);
    const wanted = visit.method === "HEAD" ? "GET" : visit.method;
    const found = there.find(({ route }) => route.method === wanted);
    if (!visit.hasToken && !found?.route.isOpen) return refusal(403, noToken);
    if (there.length === 0) return refusal(404, `There is nothing at ${visit.path}.`);
    if (found === undefined) return refusal(405, `${visit.method} is not possible at ${visit.path}.`);
    const body = await readJson(request);
    if (typeof body === "string") return refusal(400, body);
    return found.route.handle({ named: found.named, body });
  }

  #routesAt(path: string): readonly { readonly route: Route; readonly named: Readonly<Record<string, string>> }[] {
    return this.routes.flatMap((route) => {
      const named = namedIn(route.path, path);
      return named === null ? [] : [{ route, named }];
    });
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const headers = {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  };
  response.writeHead(status, headers);
  response.end(body === undefined || response.req.method === "HEAD" ? undefined : JSON.stringify(body));
}

function refuseUpgrade(socket: Duplex, status: 403 | 404, message: string): void {
  const reason = status === 403 ? "Forbidden" : "Not Found";
  const body = JSON.stringify({ message });
  const length = Buffer.byteLength(body);
  const head = `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${length}`;
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
}
