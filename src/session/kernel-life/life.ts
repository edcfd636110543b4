/** The states of a session. */
export type Life =
  | "new"
  | "provisioning"
  | "ready"
  | "executing"
  | "interrupted"
  | "restarting"
  | "shutting down"
  | "dead";

/** The allowed moves. A kernel may die in any state that has one; a dead session can get a new one. */
const moves: Readonly<Record<Life, readonly Life[]>> = {
  new: ["provisioning", "shutting down"],
  provisioning: ["ready", "dead", "shutting down"],
  ready: ["executing", "restarting", "shutting down", "dead"],
  executing: ["ready", "interrupted", "shutting down", "dead"],
  interrupted: ["ready", "shutting down", "dead"],
  restarting: ["ready", "dead", "shutting down"],
  "shutting down": ["dead"],
  dead: ["provisioning", "restarting", "shutting down"],
};

export interface Move {
  readonly from: Life;
  readonly to: Life;
  /** Why, where that is not obvious. */
  readonly reason: string | null;
}

/** The only place that changes a session's state. */
export class LifeCycle {
  readonly #watchers = new Set<(move: Move) => void>();
  #state: Life = "new";

  get state(): Life {
    return this.#state;
  }

  /** Reports every move from now on; the returned function stops it. */
  watch(watcher: (move: Move) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  move(to: Life, reason: string | null = null): void {
    const from = this.#state;
    if (!moves[from].includes(to)) throw new Error(`A session that is ${from} cannot become ${to}.`);
    this.#state = to;
    for (const watcher of [...this.#watchers]) tell(watcher, { from, to, reason });
  }
}

/** An error of a watcher does not stop the session. */
function tell(watcher: (move: Move) => void, move: Move): void {
  try {
    watcher(move);
  } catch {}
}
