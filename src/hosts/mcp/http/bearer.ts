import { createHash, timingSafeEqual } from "node:crypto";

/** Authentication: each token is one user; without tokens, every client may use the server. */
export class Bearers {
  /** Null: no token is needed. */
  readonly #digests: readonly Buffer[] | null;

  constructor(tokens: readonly string[] | null) {
    this.#digests = tokens?.map(digest) ?? null;
  }

  /** The user's name for this `Authorization` header; null for an unknown token. */
  identify(header: string | undefined): string | null {
    if (this.#digests === null) return "anybody";
    const [, token] = /^Bearer +(\S+) *$/i.exec(header ?? "") ?? [];
    if (token === undefined) return null;
    const given = digest(token);
    // Compare all tokens, as digests: the time taken reveals nothing about any of them.
    const index = this.#digests.map((known) => timingSafeEqual(known, given)).indexOf(true);
    return index === -1 ? null : `token-${index + 1}`;
  }
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
