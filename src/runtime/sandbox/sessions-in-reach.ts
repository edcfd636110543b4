import type { Execution } from "../../session/execution/execution.ts";
import { belongsTo, type LocalSession } from "../../session/local-session.ts";
import type { SessionKey, SessionPool } from "../../session/session-pool.ts";

/**
 * The sessions of a shared pool that a runtime with a sandbox may see. Its cells call tools, which must not show them the variables
 * and outputs of sessions that have other limits, or are of other folders.
 */
export class SessionsInReach {
  readonly #pool: SessionPool;
  readonly #own: Pick<SessionKey, "cwd" | "limits">;
  /** Commands, which belong to no session of the pool. */
  readonly #works = new WeakSet<Execution>();

  /** @param own the limits of the runtime, and its folder without links */
  constructor(pool: SessionPool, own: Pick<SessionKey, "cwd" | "limits">) {
    this.#pool = pool;
    this.#own = own;
  }

  addWork(work: Execution): void {
    this.#works.add(work);
  }

  get sessions(): readonly LocalSession[] {
    const { cwd, limits } = this.#own;
    return this.#pool.sessions.filter((session) => {
      const key = this.#pool.keyOf(session);
      return key?.limits === limits && (key?.cwd === cwd || key?.cwd.startsWith(`${cwd}/`));
    });
  }

  has(execution: Execution): boolean {
    return this.#works.has(execution) || this.sessions.some((session) => belongsTo(execution, session));
  }
}
