import type { OutputPart } from "../../output/output-part.ts";
import { foldedLines } from "../../output/text/folded-lines.ts";
import { sanitize, wholeLines } from "../../output/text/sanitize.ts";
import type { Execution, ExecutionEvent } from "../../session/execution/execution.ts";
import type { Gap } from "../../session/execution/execution-log.ts";
import type { ResultOutput } from "../code/code-content.ts";
import type { ToolContext } from "../context/tool-context.ts";

export interface ExecutionNews extends ResultOutput {
  readonly notices: readonly string[];
  /** The position behind this output. */
  readonly position: number;
}

/** The output of an execution that has not ended, or its output since a position; short, as in a result. */
export function newsOf({ runtime }: ToolContext, execution: Execution, since: number): ExecutionNews {
  const { output } = execution;
  const { artifact, place: position } = execution;
  const draft = new Draft();
  for (const { event } of execution.poll(since)) draft.take(event);
  const fold = (part: OutputPart) => (runtime.settings.output.foldLines ? folded(part, artifact) : part);
  const isFirst = since === 0 && !execution.isOver;
  return {
    parts: isFirst ? output : draft.end().map(fold),
    notices: isFirst ? draft.waiting : [...draft.waiting, ...draft.missed],
    position,
    background: "",
    truncation: isFirst && artifact !== null ? { artifact } : null,
    omission: { artifact },
    attempts: 1,
  };
}

/** The capture omits the same lines, so its artifact has them. */
function folded(part: OutputPart, artifact: string | null): OutputPart {
  return part.type === "text" ? { ...part, text: foldedLines(part.text, artifact) } : part;
}

interface TextBlock {
  readonly text: string;
  readonly isOwn: true | undefined;
}

class Draft {
  /** Why the work does not continue right now. */
  waiting: readonly string[] = [];
  readonly missed: string[] = [];
  #parts: OutputPart[] = [];
  /** Text printed since the last part, as a terminal gets it. */
  #printed = "";
  /** The last lines, when nothing has come after them. */
  #block: TextBlock | null = null;

  take(event: ExecutionEvent | Gap): void {
    const block = this.#block;
    if (event.type !== "display") this.#endBlock();
    this.waiting = event.type === "waiting" ? [event.reason] : event.type === "queued" ? this.waiting : [];
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
        this.#block = { text: event.text, isOwn: event.type === "block" ? event.isOwn : undefined };
        break;
      case "display": {
        const { display } = event;
        // The text of a display comes right before it.
        const text = display.text === "" ? "" : (block?.text ?? "");
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
      case "gap":
        this.missed.push(sayMissed(event));
        break;
    }
  }

  end(): readonly OutputPart[] {
    this.#endBlock();
    this.#addText(sanitize(this.#printed));
    return this.#parts;
  }

  #endBlock(): void {
    if (this.#block !== null) this.#addText(this.#block.text, this.#block.isOwn);
    this.#block = null;
  }

  #endLine(): void {
    this.#addText(wholeLines(sanitize(this.#printed)));
    this.#printed = "";
  }

  #addText(text: string, isOwn?: true): void {
    if (text !== "") this.#parts.push({ type: "text", text, ...(isOwn && { isOwn }) });
  }
}

function sayMissed({ artifact }: Gap): string {
  const where = artifact === null ? "" : `; all of it: ${artifact}`;
  return `Some of what came before is not remembered${where}.`;
}
