import type { SeenGeneration } from "./ledger.ts";
import type { SharedSession } from "./shared-session.ts";

/** Who uses which session, and what each has been told of it. */
export class Owners {
  readonly #seen = new Map<SharedSession, Map<string, SeenGeneration>>();

  /** @returns what that owner has been told last */
  add(session: SharedSession, owner: string): SeenGeneration {
    const owners = this.#seen.get(session) ?? new Map<string, SeenGeneration>();
    const seen = owners.get(owner) ?? { generation: 0 };
    this.#seen.set(session, owners.set(owner, seen));
    return seen;
  }

  /** @returns whether it held the session and nobody is left */
  remove(session: SharedSession, owner: string): boolean {
    const owners = this.#seen.get(session);
    if (!owners?.delete(owner) || owners.size > 0) return false;
    return this.#seen.delete(session);
  }

  /** Everybody but that one. */
  othersThan(owner: string, session: SharedSession): readonly string[] {
    return [...(this.#seen.get(session)?.keys() ?? [])].filter((name) => name !== owner);
  }
}
