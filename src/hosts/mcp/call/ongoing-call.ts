import { type Deferred, deferred } from "../../../support/deferred.ts";
import type { Tool, ToolCall, ToolResult, ToolUpdate } from "../../../tools/definition/tool.ts";

export interface PendingQuestion {
  readonly prompt: string;
  /** Aborts when the code no longer waits for an answer, such as after a timeout. */
  readonly over: AbortSignal;
  answer(text: string): void;
  /** Interrupts the code that asked; the sentence goes into the result. */
  refuse(why: string): void;
}

export type CallNews =
  | { readonly type: "question"; readonly question: PendingQuestion }
  | { readonly type: "result"; readonly result: ToolResult };

export interface OngoingCallOptions {
  /** Whether a person can answer `input()`. */
  readonly canAsk: boolean;
}

/**
 * One tool call. It may take several requests: in the newer revision of the protocol a question ends the current request,
 * and the next request brings the answer.
 */
export class OngoingCall {
  readonly result: Promise<ToolResult>;
  readonly #stop = new AbortController();
  readonly #listeners = new Set<(update: ToolUpdate) => void>();
  readonly #questions: PendingQuestion[] = [];
  #wake: Deferred<void> = deferred();
  #refusals: readonly string[] = [];
  #latest: ToolUpdate | null = null;

  constructor(tool: Tool, input: unknown, { canAsk }: OngoingCallOptions) {
    this.result = tool.run(input, {
      signal: this.#stop.signal,
      onUpdate: (update) => {
        this.#latest = update;
        for (const listener of this.#listeners) listener(update);
      },
      answer: canAsk ? (...question) => this.#ask(...question) : undefined,
    });
  }

  /** The reasons why questions were not answered. */
  get refusals(): readonly string[] {
    return this.#refusals;
  }

  /** The next question, or the result. */
  async news(): Promise<CallNews> {
    for (;;) {
      const question = this.#questions.shift();
      if (question?.over.aborted) continue;
      if (question !== undefined) return { type: "question", question };
      const result = await Promise.race([this.result, this.#wake.promise]);
      if (result !== undefined) return { type: "result", result };
    }
  }

  /** A new listener gets the latest progress at once. */
  onUpdate(listener: (update: ToolUpdate) => void): () => void {
    if (this.#latest !== null) listener(this.#latest);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  cancel(): void {
    this.#stop.abort(new DOMException("The call was cancelled.", "AbortError"));
  }

  #ask: NonNullable<ToolCall["answer"]> = (prompt, password, signal) => {
    const answered = deferred<string>();
    const refuse = (why: string): void => {
      this.#refusals = [...this.#refusals, why];
      answered.reject(new Error(why));
    };
    if (password) refuse(noPasswords);
    else this.#put({ prompt, over: signal, answer: answered.resolve, refuse });
    return answered.promise;
  };

  #put(question: PendingQuestion): void {
    this.#questions.push(question);
    this.#wake.resolve();
    this.#wake = deferred();
  }
}

// The client, and perhaps the model, sees what a person types into a form: the protocol forbids asking for secrets.
const noPasswords =
  "The code asked for a password, which an MCP server must not ask a person for. " +
  "Pass it in another way: in a file, or in an environment variable that python.allowEnv names.";
