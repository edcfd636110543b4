import type { Execution } from "../../session/execution/execution.ts";

/** The executions that calls of an agent wait for, and the last one that continued without its call. */
export class OngoingWork {
  readonly #awaited = new Set<Execution>();
  #last: Execution | null = null;

  has(execution: Execution): boolean {
    return this.#awaited.has(execution);
  }

  /** The last one that continued without its call; null for none. */
  get last(): Execution | null {
    return this.#last;
  }

  get awaited(): readonly Execution[] {
    return [...this.#awaited];
  }

  async during<T>(executions: readonly Execution[], wait: () => Promise<T>): Promise<T> {
    for (const execution of executions) this.#awaited.add(execution);
    try {
      return await wait();
    } finally {
      for (const execution of executions) this.#awaited.delete(execution);
    }
  }

  /** The call returns before its work has ended. */
  leave(executions: readonly Execution[]): void {
    for (const execution of executions) execution.detach();
    this.#last = executions.find(({ isOver }) => !isOver) ?? this.#last;
  }
}
