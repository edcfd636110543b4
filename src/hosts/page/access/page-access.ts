import { createHash, randomBytes } from "node:crypto";

/** Long enough for a browser to start. */
const codeLivesMs = 5 * 60_000;
/** A tab takes one. The oldest is forgotten. */
const mostTokens = 200;

/**
 * One-time codes and the tokens that they become. A code travels in the fragment of an address, which no server sees; the
 * browser exchanges it for a token, which it keeps for its tab.
 */
export class PageAccess {
  /** Digests, so that the time of a lookup says nothing about a secret. */
  readonly #codes = new Map<string, number>();
  readonly #tokens = new Set<string>();

  newCode(): string {
    const now = Date.now();
    for (const [code, until] of this.#codes) if (until < now) this.#codes.delete(code);
    const code = randomBytes(24).toString("base64url");
    this.#codes.set(digest(code), now + codeLivesMs);
    return code;
  }

  /** Null for a code that is unknown, used or too old. */
  exchange(code: string): string | null {
    const key = digest(code);
    const until = this.#codes.get(key);
    this.#codes.delete(key);
    if (until === undefined || until < Date.now()) return null;
    const token = randomBytes(32).toString("base64url");
    this.#tokens.add(digest(token));
    const [oldest] = this.#tokens;
    if (this.#tokens.size > mostTokens && oldest !== undefined) this.#tokens.delete(oldest);
    return token;
  }

  isToken(shown: string): boolean {
    return this.#tokens.has(digest(shown));
  }
}

function digest(secret: string): string {
  return createHash("sha256").update(secret).digest("base64");
}
