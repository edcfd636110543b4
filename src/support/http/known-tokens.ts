import { createHash, timingSafeEqual } from "node:crypto";

/** Secrets that clients show. The time of a comparison reveals nothing about any of them. */
export class KnownTokens {
  readonly #digests: readonly Buffer[];

  constructor(tokens: readonly string[]) {
    this.#digests = tokens.map(digest);
  }

  /** The position of a token among the known ones; null for an unknown token. */
  positionOf(token: string): number | null {
    const given = digest(token);
    // Compare all tokens, as digests.
    const index = this.#digests.map((known) => timingSafeEqual(known, given)).indexOf(true);
    return index === -1 ? null : index;
  }
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
