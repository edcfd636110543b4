import type { Execution } from "./execution.ts";

/** How many that are over are remembered, so that somebody may still ask how they went. */
const rememberedExecutions = 200;
/** In characters, together: a few with many pictures are as heavy as hundreds without. */
const rememberedWeight = 64 * 1024 * 1024;

/** Every execution of a process by its id: those under way, and the latest that are over. */
export class ExecutionRegistry {
  readonly #executions = new Map<string, Execution>();

  add(execution: Execution): void {
    this.#executions.set(execution.id, execution);
    this.#forgetOld();
  }

  get(id: string): Execution | undefined {
    return this.#executions.get(id);
  }

  /** The oldest first. */
  get all(): readonly Execution[] {
    return [...this.#executions.values()];
  }

  /** Without lists of its own: it is asked for every cell, and there may be hundreds. */
  #forgetOld(): void {
    let count = 0;
    let weight = 0;
    for (const execution of this.#executions.values()) {
      if (!execution.isOver) continue;
      count += 1;
      weight += execution.weight;
    }
    for (const execution of this.#executions.values()) {
      if (count <= rememberedExecutions && weight <= rememberedWeight) return;
      if (!execution.isOver) continue;
      this.#executions.delete(execution.id);
      count -= 1;
      weight -= execution.weight;
    }
  }
}
