import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { OnHostCall } from "../kernel/host-call.ts";
import { bridgeTokenPrefix } from "../kernel/trace.ts";

interface Issued {
  readonly digest: Buffer;
  readonly session: string;
  readonly onHostCall: OnHostCall;
}

/** Which token is whose. */
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

  /** Whose calls a request with that header makes; null for nobody's. Takes as long for a wrong token as for a right one. */
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
