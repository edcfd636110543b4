import type { KernelEvent } from "../../../kernel/events.ts";
import type { JsonObject } from "../../../support/json/value.ts";

/** A message for everybody who follows a kernel. */
export interface Published {
  readonly type: string;
  readonly content: JsonObject;
  readonly metadata?: JsonObject;
  readonly buffers?: readonly Uint8Array[];
}

/** The message for an event of a cell; null for one that Jupyter has no message for. */
export function toPublished(event: KernelEvent, resultCount: number): Published | null {
  switch (event.type) {
    case "stream":
      return { type: "stream", content: { name: event.name, text: event.text } };
    case "display": {
      // The answer to `obj?` comes with the reply.
      if (event.page) return null;
      const { data, metadata, displayId, update } = event;
      const transient: JsonObject = displayId === undefined ? {} : { display_id: displayId };
      return { type: update ? "update_display_data" : "display_data", content: { data, metadata, transient } };
    }
    case "result":
      return {
        type: "execute_result",
        content: { data: event.data, metadata: event.metadata, execution_count: resultCount },
      };
    case "clear":
      return { type: "clear_output", content: { wait: event.wait } };
    case "comm":
      return event.message;
    case "error":
      return { type: "error", content: exceptionOf(event) };
    default:
      return null;
  }
}

export interface Exception extends JsonObject {
  readonly ename: string;
  readonly evalue: string;
  readonly traceback: readonly string[];
}

export function exceptionOf({ name, message, traceback }: Extract<KernelEvent, { type: "error" }>): Exception {
  return { ename: name, evalue: message, traceback };
}
