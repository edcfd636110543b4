import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { OnHostCall } from "../kernel/host-call.ts";
import { bridgeTokenPrefix } from "../kernel/trace.ts";

interface Issued {
  readonly digest: Buffer;
  readonly session: string;
  readonly onHostCall: OnHostCall;
}

/** Maps tokens to sessions. */
export class Tickets {
  readonly #issued = new Map<string, Issued>();

  issue(session: string, onHostCall: OnHostCall): string {
    const token = `${bridgeTokenPrefix}${randomBytes(32).toString("base64url")}`;
    this.#issued.set(token, { digest: digestOf(token), session, onHostCall });
    return token;
  }

  revoke(token: string): void {
    this.#issued.delete(token);
  }

  /** The session for a request's header; null for an unknown token. Takes equally long for right and wrong tokens. */
  check(authorization = ""): OnHostCall | null {
    const given = digestOf(authorization.replace(/^Bearer /, ""));
    let found: OnHostCall | null = null;
    for (const { digest, onHostCall } of this.#issued.values()) {
      if (timingSafeEqual(digest, given)) found = onHostCall;
    }
    return found;
  }
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
