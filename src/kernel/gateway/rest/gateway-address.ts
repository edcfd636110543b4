/** The address of a gateway, and credentials for it. */
export interface GatewayAddress {
  /** Its base, which may have a path: `https://hub.example.org/user/ada/`. */
  readonly url: string;
  readonly token?: string | undefined;
  /** The scheme before the token: `token` by default. */
  readonly scheme?: string | undefined;
  /** PEM certificates of authorities that are trusted besides the usual ones. */
  readonly ca?: string | undefined;
  /** Whether its certificate is checked; true by default. */
  readonly validateCertificate?: boolean | undefined;
  /** Sent with every request, for gateways behind a proxy. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The path of its log, when Granary started it. */
  readonly log?: string | undefined;
}

/** The URL of a resource on a gateway. Never contains the token: URLs end up in logs and errors. */
export function urlOn({ url }: GatewayAddress, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const result = new URL(url);
  result.pathname = `${result.pathname.replace(/\/+$/, "")}/${path}`;
  // URLs copied from a browser have the token in their query.
  result.search = new URLSearchParams(query).toString();
  result.hash = "";
  result.username = "";
  result.password = "";
  return result;
}

/** The same for a WebSocket. */
export function webSocketUrlOn(address: GatewayAddress, path: string, query: Readonly<Record<string, string>>): URL {
  const result = urlOn(address, path, query);
  result.protocol = result.protocol === "https:" ? "wss:" : "ws:";
  return result;
}

/** The URL for people, without secrets. */
export function shownUrl(address: GatewayAddress): string {
  return urlOn(address, "").href.replace(/\/$/, "");
}

export function authorization({ token = "", scheme = "token", headers = {} }: GatewayAddress): Record<string, string> {
  return token === "" ? { ...headers } : { ...headers, Authorization: `${scheme} ${token}` };
}
