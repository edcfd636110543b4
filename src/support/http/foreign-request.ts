import type { IncomingMessage } from "node:http";

type ForeignHead = Pick<IncomingMessage, "headers" | "rawHeaders">;

/** The names under which a client on this machine may address a loopback server: exactly these, with its port. */
export function loopbackHosts(port: number): ReadonlySet<string> {
  return new Set(["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`));
}

/**
 * Why a request is refused before anything else of it is read: it was made for another server, or by a web page of
 * another site. Null for a request of our own.
 */
export function whyForeign(request: ForeignHead, hosts: ReadonlySet<string>): string | null {
  const { host, origin } = request.headers;
  // Node shows the first of two, and a program before this one may have checked the other.
  const isNamedTwice = request.rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length > 1;
  if (isNamedTwice) return "A request names one host.";
  if (host === undefined || !hosts.has(host.toLowerCase())) {
    return `This server is ${[...hosts].join(" or ")}, not ${host ?? "a server without a name"}.`;
  }
  const isOurs = origin === undefined || hosts.has(origin.toLowerCase().replace(/^http:\/\//, ""));
  return isOurs ? null : `Pages of ${origin} may not use this server.`;
}
