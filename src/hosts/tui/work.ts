/** Something that runs in the console. */
export interface ConsoleWork {
  /** Null for what is no execution, such as a command of the shell. */
  readonly executionId: string | null;
  readonly isInBackground: boolean;
  /** In milliseconds of `Date.now()`; null before it has begun. */
  readonly startedAt: number | null;
  interrupt(): void;
}

const tickMs = 1000;

/** What runs, and a clock that ticks only as long as something does. */
export class RunningWork {
  readonly #onTick: () => void;
  #works: readonly ConsoleWork[] = [];
  #clock: NodeJS.Timeout | null = null;

  constructor(onTick: () => void) {
    this.#onTick = onTick;
  }

  /** What runs in the foreground, the oldest first. */
  get foreground(): readonly ConsoleWork[] {
    return this.#works.filter(({ isInBackground }) => !isInBackground);
  }

  /** How many nobody looks at. */
  get inBackground(): number {
    return this.#works.filter(({ executionId }) => !this.isSeen(executionId)).length;
  }

  /** Whether an execution is to be seen at work. One that went on unseen may be attached to. */
  isSeen(executionId: string | null): boolean {
    return this.foreground.some((work) => work.executionId === executionId);
  }

  get isEmpty(): boolean {
    return this.#works.length === 0;
  }

  /** Since when something runs in the foreground; null when nothing does. */
  get since(): number | null {
    const times = this.foreground.flatMap(({ startedAt }) => startedAt ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** @param over settles when it has ended */
  add(work: ConsoleWork, over: Promise<unknown>): void {
    this.#works = [...this.#works, work];
    this.#clock ??= setInterval(this.#onTick, tickMs);
    const end = (): void => this.#remove(work);
    void over.then(end, end);
  }

  /** Everything in the foreground: those that wait first, or they would begin when the one before them ends. */
  interrupt(): void {
    for (const work of [...this.foreground].reverse()) work.interrupt();
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
