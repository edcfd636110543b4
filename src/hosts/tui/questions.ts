import { deferred } from "../../support/deferred.ts";
import { Question } from "./prompt/question.ts";

/** What `input()` and `getpass()` want to know, one after the other. */
export class QuestionQueue {
  readonly #onChange: () => void;
  #waiting: readonly Question[] = [];

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The one that is to be answered now; null when nobody asks. */
  get current(): Question | null {
    return this.#waiting[0] ?? null;
  }

  /** @param onAnswered is told question and answer, as they may be shown */
  async ask(
    prompt: string,
    isSecret: boolean,
    signal: AbortSignal,
    onAnswered: (told: string) => void,
  ): Promise<string> {
    const answer = deferred<string>();
    const question = new Question(prompt, isSecret, answer.resolve);
    const withdraw = (): void => answer.resolve("");
    signal.addEventListener("abort", withdraw, { once: true });
    this.#waiting = [...this.#waiting, question];
    this.#onChange();
    try {
      const text = await answer.promise;
      onAnswered(question.told);
      return text;
    } finally {
      signal.removeEventListener("abort", withdraw);
      this.#waiting = this.#waiting.filter((other) => other !== question);
      this.#onChange();
    }
  }
}
