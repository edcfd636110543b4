import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** The address that a server listens on. */
export interface HttpAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** Reads `127.0.0.1:3333`, `[::1]:3333`, `:3333` or `3333`; null for anything else. The default host is loopback. */
export function parseHttpAddress(text: string): HttpAddress | null {
  const match = /^(?:(?:\[([^\]]+)\]|([^:[\]]*)):)?(\d{1,5})$/.exec(text);
  if (match === null) return null;
  const host = match[1] ?? (match[2] || "127.0.0.1");
  const port = Number(match[3]);
  return port <= 65_535 && (match[1] === undefined || isIP(match[1]) === 6) ? { host, port } : null;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** The host as a URL writes it. */
export function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * The names under which a client may address this server. Any other name in a request's Host or Origin header means that a
 * web page was tricked into calling it (DNS rebinding).
 */
export function allowedHostnames(host: string, more: readonly string[]): string[] {
  const loopback = ["localhost", "127.0.0.1", "[::1]"];
  const isEverywhere = host === "0.0.0.0" || host === "::";
  const own = isEverywhere ? ownAddresses() : [inUrl(host)];
  return [...new Set([...(isLoopback(host) || isEverywhere ? loopback : []), ...own, ...more])];
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => inUrl(address)));
}
