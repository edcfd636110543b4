import type { Witness } from "./ledger.ts";
import type { Session } from "./shared-session.ts";

/** Who uses which session, and what each has been told of it. */
export class Owners {
  readonly #witnesses = new Map<Session, Map<string, Witness>>();

  /** @returns what that owner has been told last */
  add(session: Session, owner: string): Witness {
    const owners = this.#witnesses.get(session) ?? new Map<string, Witness>();
    const witness = owners.get(owner) ?? { generation: 0 };
    this.#witnesses.set(session, owners.set(owner, witness));
    return witness;
  }

  /** @returns whether it held the session and nobody is left */
  remove(session: Session, owner: string): boolean {
    const owners = this.#witnesses.get(session);
    if (!owners?.delete(owner) || owners.size > 0) return false;
    return this.#witnesses.delete(session);
  }

  /** Everybody but that one. */
  othersThan(owner: string, session: Session): readonly string[] {
    return [...(this.#witnesses.get(session)?.keys() ?? [])].filter((name) => name !== owner);
  }
}
