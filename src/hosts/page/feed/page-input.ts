import type { Execution } from "../../../session/execution/execution.ts";
import type { Session } from "../../../session/session.ts";
import type { SessionFeed } from "./session-feed.ts";

/** The cells that the page runs, and their questions: `input()` is answered by any browser that shows the cell. */
export class PageInput {
  readonly #open = new Map<string, (answer: string) => void>();

  run(session: Session, feed: SessionFeed, code: string): Execution {
    const execution: Execution = session.run(code, {
      forms: "all",
      answer: (prompt, password, signal) => this.#ask(feed, execution.id, { prompt, password }, signal),
    });
    return execution;
  }

  /** False when the cell waits for no answer. */
  answer(cell: string, text: string): boolean {
    const take = this.#open.get(cell);
    take?.(text);
    return take !== undefined;
  }

  #ask(
    feed: SessionFeed,
    cell: string,
    question: { readonly prompt: string; readonly password: boolean },
    signal: AbortSignal,
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#open.delete(cell);
        feed.change(cell, { question: null });
        signal.removeEventListener("abort", giveUp);
      };
      const giveUp = (): void => {
        end();
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", giveUp, { once: true });
      this.#open.set(cell, (answer) => {
        end();
        resolve(answer);
      });
      feed.change(cell, { question });
    });
  }
}
