import { CellClock } from "../../session/cell/cell-clock.ts";
import type { ToolCall } from "../definition/tool.ts";

type Answer = NonNullable<ToolCall["answer"]>;

/** How long a call waits for work that continues without it. Time spent waiting for a person's answer does not count. */
export class CallDeadline implements Disposable {
  readonly #clock: CellClock;

  constructor(ms: number) {
    this.#clock = new CellClock(ms);
  }

  /** Whether the call has waited long enough. */
  get isOver(): boolean {
    return this.#clock.hasRung;
  }

  /** The result of the work; null if the time is up first. */
  async waitFor<T>(work: Promise<T>): Promise<T | null> {
    const { signal } = this.#clock;
    const timeIsUp = new Promise<null>((resolve) =>
      signal.addEventListener("abort", () => resolve(null), { once: true }),
    );
    this.#clock.run();
    return Promise.race([work, timeIsUp]);
  }

  /**
   * Asks as long as the call waits.
   * @param onLate called when the work asks afterwards, which is refused
   */
  answering(answer: ToolCall["answer"], onLate: () => void): ToolCall["answer"] {
    return answer && ((...question) => this.#ask(answer, onLate, question));
  }

  [Symbol.dispose](): void {
    this.#clock.pause();
  }

  async #ask(answer: Answer, onLate: () => void, question: Parameters<Answer>): Promise<string> {
    if (this.isOver) {
      onLate();
      throw new Error(askedTooLate);
    }
    this.#clock.pause();
    try {
      return await answer(...question);
    } finally {
      this.#clock.run();
    }
  }
}

/** For the output of work that asks after its call has returned. */
export const askedTooLate =
  "The code asked for input after its call had returned, so there was no one to answer. Pass the data in the code or in a file.";
