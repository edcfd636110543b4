/** Where a gateway is and how to be let in. */
export interface GatewayAddress {
  /** Its base, which may have a path: `https://hub.example.org/user/ada/`. */
  readonly url: string;
  readonly token?: string | undefined;
  /** What stands before the token: `token` unless said otherwise. */
  readonly scheme?: string | undefined;
  /** Certificates of authorities, PEM, that are trusted besides the usual ones. */
  readonly ca?: string | undefined;
  /** Whether its certificate has to be right; true unless said otherwise. */
  readonly validateCertificate?: boolean | undefined;
  /** Sent with every request: some gateways stand behind a door of their own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Where its log is, when it is one that Granary has started. */
  readonly log?: string | undefined;
}

/** The address of one thing on a gateway. The token is never part of it: addresses end up in logs and errors. */
export function urlOn({ url }: GatewayAddress, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const result = new URL(url);
  result.pathname = `${result.pathname.replace(/\/+$/, "")}/${path}`;
  // A browser's address has the token in its query, and people copy it from there.
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

/** What people may see: where it is, without what is secret. */
export function shownUrl(address: GatewayAddress): string {
  return urlOn(address, "").href.replace(/\/$/, "");
}

export function authorization({ token = "", scheme = "token", headers = {} }: GatewayAddress): Record<string, string> {
  return token === "" ? { ...headers } : { ...headers, Authorization: `${scheme} ${token}` };
}
