import type { CapturedDisplay } from "../../output/capture.ts";
import { sanitize } from "../../output/text/sanitize.ts";
import { wholeLines } from "../../output/text/whole-lines.ts";
import type { Execution, ExecutionEvent } from "../../session/execution/execution.ts";
import type { Gap } from "../../session/execution/execution-log.ts";
import type { ResultOutput } from "../code/code-content.ts";

export interface ExecutionNews extends ResultOutput {
  readonly notices: readonly string[];
}

/** What an execution has put out since a position. */
export function newsOf(execution: Execution, since: number): ExecutionNews {
  const draft: Draft = { text: "", displays: [], notices: [] };
  for (const { event } of execution.poll(since)) take(event, draft);
  const { text, displays, notices } = draft;
  return { output: sanitize(text), displays, notices, background: "", truncation: null, attempts: 1 };
}

interface Draft {
  text: string;
  displays: CapturedDisplay[];
  readonly notices: string[];
}

function take(event: ExecutionEvent | Gap, draft: Draft): void {
  switch (event.type) {
    case "text":
    case "so-far":
      draft.text += event.text;
      break;
    case "move":
      draft.text += event.sequence;
      break;
    case "block":
    case "update":
      draft.text = wholeLines(draft.text) + event.text;
      break;
    case "display":
      draft.displays.push(event.display);
      break;
    case "clear":
      draft.text = "";
      draft.displays = [];
      break;
    case "waiting":
      draft.notices.push(event.reason);
      break;
    case "gap":
      draft.notices.push(missed(event));
      break;
  }
}

function missed({ artifact }: Gap): string {
  const where = artifact === null ? "" : `; all of it: ${artifact}`;
  return `Some of what came before is not remembered${where}.`;
}
