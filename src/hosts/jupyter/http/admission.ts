import type { IncomingMessage } from "node:http";
import { KnownTokens } from "../../../support/http/known-tokens.ts";
import type { Visit } from "../../../support/http/router.ts";

/** Reads the head of a request: Jupyter's clients send the token in several places. */
export class DoorAdmission {
  readonly #tokens: KnownTokens;

  constructor(token: string) {
    this.#tokens = new KnownTokens([token]);
  }

  /** The path comes without the token, if the client put it there. */
  admit({ headers, method = "GET", url = "/" }: IncomingMessage): Visit {
    const { pathname, searchParams } = placeIn(url);
    const [, inPath, rest = "/"] = /^\/token\/([^/]+)(\/.*)?$/.exec(pathname) ?? [];
    const shown = [inHeader(headers.authorization), searchParams.get("token"), inPath ?? null];
    const hasToken = shown.some((token) => token !== null && this.#tokens.positionOf(token) !== null);
    return { method, path: inPath === undefined ? pathname : rest, query: searchParams, hasToken };
  }
}

/** Node passes on what is no address, such as `//[`; nothing is there. */
function placeIn(url: string): Pick<URL, "pathname" | "searchParams"> {
  try {
    return new URL(url, "http://door");
  } catch {
    return { pathname: url, searchParams: new URLSearchParams() };
  }
}

/** Jupyter's clients say `token`, others `Bearer`. */
function inHeader(authorization: string | undefined): string | null {
  return /^(?:token|bearer) +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? null;
}
