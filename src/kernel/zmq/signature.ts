import { createHmac, timingSafeEqual } from "node:crypto";

/** Signs messages with the key of the connection file; an empty key means that nothing is signed. */
export class Signature {
  readonly #key: string;
  readonly #algorithm: string;

  /** @param scheme `hmac-` and the name of a hash */
  constructor(key: string, scheme = "hmac-sha256") {
    this.#key = key;
    this.#algorithm = scheme.replace(/^hmac-/, "");
  }

  of(parts: readonly Uint8Array[]): Buffer {
    if (this.#key === "") return Buffer.alloc(0);
    const hmac = createHmac(this.#algorithm, this.#key);
    for (const part of parts) hmac.update(part);
    return Buffer.from(hmac.digest("hex"), "latin1");
  }

  isOf(given: Uint8Array, parts: readonly Uint8Array[]): boolean {
    const right = this.of(parts);
    return given.length === right.length && timingSafeEqual(given, right);
  }
}
