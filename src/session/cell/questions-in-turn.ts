import type { ExecuteOptions } from "../../kernel/kernel.ts";
import { type Deferred, deferred } from "../../support/deferred.ts";

type Answer = NonNullable<ExecuteOptions["answer"]>;

/** Holds each question back until everything the cell printed before it has been shown. */
export class QuestionsInTurn {
  readonly #turns: Deferred<void>[] = [];
  #asked = 0;
  #released = 0;

  /** The kernel's call may overtake its own events, which wait for a slow reader. */
  hold(answer: Answer): Answer {
    return async (...question) => {
      await this.#turn(this.#asked++).promise;
      return answer(...question);
    };
  }

  /** The event of the next question has been shown. */
  release(): void {
    this.#turn(this.#released++).resolve();
  }

  #turn(index: number): Deferred<void> {
    const turn = this.#turns[index] ?? deferred<void>();
    this.#turns[index] = turn;
    return turn;
  }
}
