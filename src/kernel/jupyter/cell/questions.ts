import { type ExecuteOptions, endOfInput, mostUnanswered, unansweredNotice } from "../../kernel.ts";

interface Asker {
  /** Aborted when the cell has ended. */
  readonly ended: AbortSignal;
  explain(text: string): void;
  interrupt(): void;
}

/** Answers the questions of one cell. The kernel waits, so every question gets an answer. */
export class CellQuestions {
  readonly #answer: ExecuteOptions["answer"];
  readonly #asker: Asker;
  #asks = 0;
  #wasInterrupted = false;

  constructor(answer: ExecuteOptions["answer"], asker: Asker) {
    this.#answer = answer;
    this.#asker = asker;
  }

  put(prompt: string, password: boolean, reply: (text: string) => void): void {
    // Code that asks again after the interrupt, as a debugger does, gets the end of its input.
    if (this.#wasInterrupted) return reply(endOfInput);
    if (this.#answer) {
      this.#answer(prompt, password, this.#asker.ended).then(
        (text) => this.#asker.ended.aborted || reply(text),
        () => this.#asker.ended.aborted || this.#asker.interrupt(),
      );
      return;
    }
    if (++this.#asks > mostUnanswered) return this.#asker.interrupt();
    if (this.#asks === 1) this.#asker.explain(unansweredNotice);
    reply("");
  }

  /** The cell was interrupted: the interrupt is the answer to its question. */
  interrupted(): void {
    this.#wasInterrupted = true;
  }
}

/** The answer to a question without a cell: a thread outlived its own. */
export const noAnswer = endOfInput;
