import type { Execution } from "../../session/execution/execution.ts";

/** The executions that calls of an agent wait for. */
export class OngoingWork {
  readonly #awaited = new Set<Execution>();

  has(execution: Execution): boolean {
    return this.#awaited.has(execution);
  }

  async during<T>(executions: readonly Execution[], wait: () => Promise<T>): Promise<T> {
    for (const execution of executions) this.#awaited.add(execution);
    try {
      return await wait();
    } finally {
      for (const execution of executions) this.#awaited.delete(execution);
    }
  }
}
