import type { JupyterMessage } from "../../../kernel/jupyter/messages/message.ts";
import { stringOf } from "../../../kernel/jupyter/messages/to-event.ts";

/** The questions of `input()` that a client has not answered yet, the oldest first. */
export class InputQuestions {
  readonly #open = new Map<string, (answer: string) => void>();

  /** Sends a question and waits for its answer. Rejects with the signal's reason when the cell ends. */
  ask(question: JupyterMessage, send: (question: JupyterMessage) => void, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const id = question.header.msg_id;
      const giveUp = (): void => {
        this.#open.delete(id);
        reject(signal.reason);
      };
      if (signal.aborted) return giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      this.#open.set(id, (answer) => {
        signal.removeEventListener("abort", giveUp);
        this.#open.delete(id);
        resolve(answer);
      });
      send(question);
    });
  }

  /** Some clients do not name the question, and answer the only one there is. */
  take({ parentHeader, content }: JupyterMessage): void {
    const named = this.#open.get(parentHeader.msg_id ?? "");
    const [only] = this.#open.size === 1 ? this.#open.values() : [];
    (named ?? only)?.(stringOf(content.value));
  }
}
