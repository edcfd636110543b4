import type { OutputPart } from "../../output/output-part.ts";
import { sanitize, wholeLines } from "../../output/text/sanitize.ts";
import type { Execution, ExecutionEvent } from "../../session/execution/execution.ts";
import type { Gap } from "../../session/execution/execution-log.ts";
import type { ResultOutput } from "../code/code-content.ts";

export interface ExecutionNews extends ResultOutput {
  readonly notices: readonly string[];
}

/** An execution's output since a position. */
export function newsOf(execution: Execution, since: number): ExecutionNews {
  const draft = new Draft();
  for (const { event } of execution.poll(since)) draft.take(event);
  return { parts: draft.end(), notices: draft.notices, background: "", truncation: null, attempts: 1 };
}

class Draft {
  readonly notices: string[] = [];
  #parts: OutputPart[] = [];
  /** Text printed since the last part, as a terminal gets it. */
  #printed = "";
  /** The last lines, when nothing has come after them. */
  #block: string | null = null;

  take(event: ExecutionEvent | Gap): void {
    const block = this.#block;
    if (event.type !== "display") this.#endBlock();
    switch (event.type) {
      case "text":
      case "so-far":
        this.#printed += event.text;
        break;
      case "move":
        this.#printed += event.sequence;
        break;
      case "block":
      case "update":
        this.#endLine();
        this.#block = event.text;
        break;
      case "display": {
        const { display } = event;
        // The text of a display comes right before it.
        const text = display.text === "" ? "" : (block ?? "");
        if (text === "") this.#endBlock();
        this.#block = null;
        this.#endLine();
        this.#parts.push({ type: "display", text, display, begins: undefined, whole: { start: 0, end: 0 } });
        break;
      }
      case "clear":
        this.#parts = [];
        this.#printed = "";
        break;
      case "waiting":
        this.notices.push(event.reason);
        break;
      case "gap":
        this.notices.push(missed(event));
        break;
    }
  }

  end(): readonly OutputPart[] {
    this.#endBlock();
    this.#addText(sanitize(this.#printed));
    return this.#parts;
  }

  #endBlock(): void {
    if (this.#block !== null) this.#addText(this.#block);
    this.#block = null;
  }

  #endLine(): void {
    this.#addText(wholeLines(sanitize(this.#printed)));
    this.#printed = "";
  }

  #addText(text: string): void {
    if (text !== "") this.#parts.push({ type: "text", text });
  }
}

function missed({ artifact }: Gap): string {
  const where = artifact === null ? "" : `; all of it: ${artifact}`;
  return `Some of what came before is not remembered${where}.`;
}
