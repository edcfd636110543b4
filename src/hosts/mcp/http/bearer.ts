import { createHash, timingSafeEqual } from "node:crypto";

/** Who may use the server: whoever has one of the tokens, each for themselves; or anybody. */
export class Bearers {
  /** Null: nobody is asked for a token. */
  readonly #digests: readonly Buffer[] | null;

  constructor(tokens: readonly string[] | null) {
    this.#digests = tokens?.map(digest) ?? null;
  }

  /** A name for whoever sends this `Authorization` header; null when it is nobody we know. */
  identify(header: string | undefined): string | null {
    if (this.#digests === null) return "anybody";
    const [, token] = /^Bearer +(\S+) *$/i.exec(header ?? "") ?? [];
    if (token === undefined) return null;
    const given = digest(token);
    // All are compared, and as digests: how long it takes says nothing about any of them.
    const index = this.#digests.map((known) => timingSafeEqual(known, given)).indexOf(true);
    return index === -1 ? null : `token-${index + 1}`;
  }
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
