import type { IncomingMessage, ServerResponse } from "node:http";
import { hostHeaderValidation, originValidation } from "@modelcontextprotocol/node";
import { Bearers } from "./bearer.ts";

export interface AdmissionRules {
  /** The path of the server; every other path is 404. */
  readonly path: string;
  /** Host names that clients may use for the server. */
  readonly hostnames: string[];
  /** Host names that the user added. */
  readonly allowedHosts: readonly string[];
  /** Null lets every client in. */
  readonly tokens: readonly string[] | null;
}

/** Returns the sender's name; null when the request was refused and answered. */
export type Admit = (request: IncomingMessage, response: ServerResponse) => string | null;

/** Runs before any part of a request's body is read. */
export function admission({ path, hostnames, allowedHosts, tokens }: AdmissionRules): Admit {
  const bearers = new Bearers(tokens);
  const hasRightHost = hostHeaderValidation(hostnames);
  const hasRightOrigin = originValidation(hostnames);
  return (request, response) => {
    if (!hasRightHost(request, response) || !hasRightOrigin(request, response)) return null;
    if (tokens === null && !isOwnOrigin(request, allowedHosts)) {
      refuse(
        response,
        403,
        "Without a token, only pages of this server itself may use it. Start it without --no-auth.",
      );
      return null;
    }
    if (request.url?.split("?")[0] !== path) {
      refuse(response, 404, `There is nothing here: the MCP server is at ${path}.`);
      return null;
    }
    const name = bearers.identify(request.headers.authorization);
    if (name === null) {
      response.setHeader("WWW-Authenticate", 'Bearer realm="granary"');
      refuse(response, 401, "Send the token that the server was started with: Authorization: Bearer <token>.");
    }
    return name;
  };
}

/**
 * Whether a request comes from no web page, or from a page of this server. Without tokens, a page from another port of this machine
 * could run code: every program with a web server would be in.
 */
function isOwnOrigin({ headers }: IncomingMessage, allowedHosts: readonly string[]): boolean {
  if (headers.origin === undefined) return true;
  const origin = URL.canParse(headers.origin) ? new URL(headers.origin) : null;
  return origin !== null && (origin.host === headers.host || allowedHosts.includes(origin.hostname));
}

/** Answers a refused request; the sentence names what would be accepted. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }));
}
