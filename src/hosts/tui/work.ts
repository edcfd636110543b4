/** Running work of the console. */
export interface ConsoleWork {
  /** Null for work that is not an execution, such as a shell command. */
  readonly executionId: string | null;
  readonly isInBackground: boolean;
  /** The other client that runs it; null for the console's own work. */
  readonly by?: string | null;
  /** In milliseconds of `Date.now()`; null before the start. */
  readonly startedAt: number | null;
  interrupt(): void;
}

const tickMs = 1000;

/** The running work, and a clock that ticks only while something runs. */
export class RunningWork {
  readonly #onTick: () => void;
  #works: readonly ConsoleWork[] = [];
  #clock: NodeJS.Timeout | null = null;

  constructor(onTick: () => void) {
    this.#onTick = onTick;
  }

  /** The console's own foreground work, oldest first. */
  get foreground(): readonly ConsoleWork[] {
    return this.#own.filter(({ isInBackground }) => !isInBackground);
  }

  /** The running cell of another client; null when there is none. */
  get ofOther(): { readonly by: string; readonly since: number } | null {
    for (const { by = null, startedAt } of this.#works) {
      if (by !== null && startedAt !== null) return { by, since: startedAt };
    }
    return null;
  }

  /** How many run in the background. */
  get inBackground(): number {
    return this.#own.filter(({ executionId }) => !this.isSeen(executionId)).length;
  }

  /** Whether an execution is visible. A background execution may have been attached to. */
  isSeen(executionId: string | null): boolean {
    return this.foreground.some((work) => work.executionId === executionId);
  }

  get isEmpty(): boolean {
    return this.#works.length === 0;
  }

  /** Start time of the foreground work; null when none runs. */
  get since(): number | null {
    const times = this.foreground.flatMap(({ startedAt }) => startedAt ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** @param over settles when the work has ended */
  add(work: ConsoleWork, over: Promise<unknown>): void {
    this.#works = [...this.#works, work];
    this.#clock ??= setInterval(this.#onTick, tickMs);
    const end = (): void => this.#remove(work);
    void over.then(end, end);
  }

  /** Interrupts all foreground work, queued cells first: otherwise the next would start when the running one ends. */
  interrupt(): void {
    for (const work of [...this.foreground].reverse()) work.interrupt();
  }

  /** Ends shell commands, whose output would be unread. */
  endCommands(): void {
    for (const work of this.#works) if (work.executionId === null) work.interrupt();
  }

  get #own(): readonly ConsoleWork[] {
    return this.#works.filter(({ by = null }) => by === null);
  }

  #remove(work: ConsoleWork): void {
    this.#works = this.#works.filter((other) => other !== work);
    if (this.isEmpty && this.#clock !== null) {
      clearInterval(this.#clock);
      this.#clock = null;
    }
    this.#onTick();
  }
}
