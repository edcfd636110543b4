import type { Execution } from "./execution.ts";

/** How many that are over are remembered, so that somebody may still ask how they went. */
const rememberedExecutions = 200;
/** In characters, together: a few with many pictures are as heavy as hundreds without. */
const rememberedWeight = 64 * 1024 * 1024;

/** Every execution of a process by its id: those under way, and the latest that are over. */
export class ExecutionRegistry {
  readonly #executions = new Map<string, Execution>();
  #underWay: readonly Execution[] = [];
  #over = 0;
  #weightOver = 0;

  add(execution: Execution): void {
    this.#executions.set(execution.id, execution);
    this.#underWay = [...this.#underWay, execution];
    this.#countOver();
    if (this.#isTooMuch) this.#forgetOld();
  }

  get(id: string): Execution | undefined {
    return this.#executions.get(id);
  }

  /** The oldest first. */
  get all(): readonly Execution[] {
    return [...this.#executions.values()];
  }

  get #isTooMuch(): boolean {
    return this.#over > rememberedExecutions || this.#weightOver > rememberedWeight;
  }

  /** Each is counted once, when it is over: its weight stays the same from then on. */
  #countOver(): void {
    for (const execution of this.#underWay) {
      if (!execution.isOver) continue;
      this.#over += 1;
      this.#weightOver += execution.weight;
    }
    this.#underWay = this.#underWay.filter((execution) => !execution.isOver);
  }

  #forgetOld(): void {
    for (const execution of this.#executions.values()) {
      if (!this.#isTooMuch) return;
      if (this.#underWay.includes(execution)) continue;
      this.#executions.delete(execution.id);
      this.#over -= 1;
      this.#weightOver -= execution.weight;
    }
  }
}
