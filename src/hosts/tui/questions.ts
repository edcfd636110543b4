import { answeredElsewhere, endOfInput } from "../../kernel/kernel.ts";
import { deferred } from "../../support/deferred.ts";
import { Question } from "./prompt/question.ts";

/** The questions of `input()` and `getpass()`, one after the other. */
export class QuestionQueue {
  readonly #onChange: () => void;
  #waiting: readonly Question[] = [];
  readonly #closed = new AbortController();
  /** Answers by question, latest last: a debugger asks the same a hundred times. Never written to disk. */
  readonly #given = new Map<string, readonly string[]>();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The current question; null when there is none. */
  get current(): Question | null {
    return this.#waiting[0] ?? null;
  }

  /** @param onAnswered gets question and answer, safe to show */
  async ask(
    prompt: string,
    isSecret: boolean,
    signal: AbortSignal,
    onAnswered: (told: string) => void,
  ): Promise<string> {
    const answer = deferred<string>();
    const refuse = (): void => answer.reject(new Error("The person has left."));
    if (this.#closed.signal.aborted) refuse();
    this.#closed.signal.addEventListener("abort", refuse, { once: true });
    const question = new Question(prompt, { isSecret, earlier: this.#given.get(prompt) ?? [] }, answer.resolve);
    const withdraw = (): void => answer.resolve("");
    signal.addEventListener("abort", withdraw, { once: true });
    this.#waiting = [...this.#waiting, question];
    this.#onChange();
    try {
      const text = await answer.promise;
      this.#remember(prompt, isSecret || text === endOfInput ? "" : text);
      onAnswered(signal.reason === answeredElsewhere ? `${question.told}${answeredElsewhere}` : question.told);
      return text;
    } finally {
      signal.removeEventListener("abort", withdraw);
      this.#closed.signal.removeEventListener("abort", refuse);
      this.#waiting = this.#waiting.filter((other) => other !== question);
      this.#onChange();
    }
  }

  /** The person has left: questions fail, as without a terminal. */
  close(): void {
    this.#closed.abort();
  }

  #remember(prompt: string, text: string): void {
    const before = this.#given.get(prompt) ?? [];
    if (text !== "" && text !== before.at(-1)) this.#given.set(prompt, [...before, text].slice(-mostRemembered));
  }
}

const mostRemembered = 1000;
