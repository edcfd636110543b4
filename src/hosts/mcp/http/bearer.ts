import { KnownTokens } from "../../../support/http/known-tokens.ts";

/** Authentication: each token is one user; without tokens, every client may use the server. */
export class Bearers {
  /** Null: no token is needed. */
  readonly #tokens: KnownTokens | null;

  constructor(tokens: readonly string[] | null) {
    this.#tokens = tokens === null ? null : new KnownTokens(tokens);
  }

  /** The user's name for this `Authorization` header; null for an unknown token. */
  identify(header: string | undefined): string | null {
    if (this.#tokens === null) return "anybody";
    const [, token] = /^Bearer +(\S+) *$/i.exec(header ?? "") ?? [];
    if (token === undefined) return null;
    const position = this.#tokens.positionOf(token);
    return position === null ? null : `token-${position + 1}`;
  }
}
