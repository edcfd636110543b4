import type { IncomingMessage } from "node:http";
import { whyForeign } from "../../../support/http/foreign-request.ts";
import { KnownTokens } from "../../../support/http/known-tokens.ts";

export interface DoorRules {
  /** The exact `Host` headers that the door answers to. */
  readonly hosts: ReadonlySet<string>;
  readonly token: string;
}

/** A request that may be looked at. */
export interface Visit {
  readonly method: string;
  /** Without the token, if the client put it there. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly hasToken: boolean;
}

/** Reads the head of a request, before its body. A sentence refuses it. */
export class DoorAdmission {
  readonly #rules: DoorRules;
  readonly #tokens: KnownTokens;

  constructor(rules: DoorRules) {
    this.#rules = rules;
    this.#tokens = new KnownTokens([rules.token]);
  }

  admit({ headers, method = "GET", url = "/" }: IncomingMessage): Visit | string {
    const foreign = whyForeign(headers, this.#rules.hosts);
    if (foreign !== null) return foreign;
    const { pathname, searchParams } = new URL(url, "http://door");
    const [, inPath, rest = "/"] = /^\/token\/([^/]+)(\/.*)?$/.exec(pathname) ?? [];
    const shown = [inHeader(headers.authorization), searchParams.get("token"), inPath ?? null];
    const hasToken = shown.some((token) => token !== null && this.#tokens.positionOf(token) !== null);
    return { method, path: inPath === undefined ? pathname : rest, query: searchParams, hasToken };
  }
}

/** Jupyter's clients say `token`, others `Bearer`. */
function inHeader(authorization: string | undefined): string | null {
  return /^(?:token|bearer) +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? null;
}
