import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { legacyCodec, v1Codec, v1Protocol } from "../../kernel/gateway/websocket/websocket-codec.ts";
import type { Site } from "../../support/http/loopback-port.ts";
import { refuseUpgrade } from "../../support/http/refuse-upgrade.ts";
import { namedIn, type Route } from "../../support/http/route.ts";
import { Router } from "../../support/http/router.ts";
import type { DoorSessions } from "./door-sessions.ts";
import { DoorAdmission } from "./http/admission.ts";
import { kernelRoutes } from "./http/kernel-routes.ts";
import { serverRoutes } from "./http/server-routes.ts";
import { sessionRoutes } from "./http/session-routes.ts";
import { DoorKernels } from "./kernel/door-kernels.ts";

export interface JupyterDoorOptions {
  readonly sessions: DoorSessions;
  readonly token: string;
  /** Granary's own. */
  readonly version: string;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The path of the only upgrade. */
export const channelsPath = "/api/kernels/:kernel/channels";

const largestMessage = 64 * 1024 * 1024;
const longestBody = 1_000_000;
const noToken =
  "Forbidden: send the token that `granary hub jupyter` printed, as `Authorization: token …` or `?token=…`.";

/**
 * A Jupyter server in front of the sessions of this process: it answers requests and upgrades. Everything is refused that
 * is not in its table or has no token.
 *
 * @example
 * const door = new JupyterDoor({ sessions: sessionsOf(runtime), token, version });
 * port.mount("", door);
 */
export class JupyterDoor implements Site {
  readonly routes: readonly Route[];
  readonly handle: Router["handle"];
  readonly #admission: DoorAdmission;
  readonly #kernels: DoorKernels;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(v1Protocol) ? v1Protocol : false),
  });

  constructor({ sessions, token, version, onError }: JupyterDoorOptions) {
    this.#admission = new DoorAdmission(token);
    this.#kernels = new DoorKernels(sessions, version);
    this.routes = [...serverRoutes(this.#kernels), ...kernelRoutes(this.#kernels), ...sessionRoutes(this.#kernels)];
    const visit = (request: IncomingMessage) => this.#admission.admit(request);
    this.handle = new Router({ routes: this.routes, visit, noToken, longestBody, onError }).handle;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { hasToken, path, query } = this.#admission.admit(request);
    if (!hasToken) return refuseUpgrade(socket, 403, noToken);
    const kernel = this.#kernels.get(namedIn(channelsPath, path)?.kernel ?? "");
    if (kernel === undefined) return refuseUpgrade(socket, 404, "There is no such kernel.");
    this.#sockets.handleUpgrade(request, socket, head, (accepted) => {
      const codec = accepted.protocol === v1Protocol ? v1Codec : legacyCodec;
      kernel.connect({ socket: accepted, codec }, query.get("session_id"));
    });
  }

  /** Lets go of all sessions; kernels that only the door's clients used end. */
  async close(): Promise<void> {
    await this.#kernels.close();
    this.#sockets.close();
  }
}
