import type { JsonObject, JsonValue } from "../../../support/json/value.ts";
import type { KernelEvent, LargeContents, MimeBundle } from "../../events.ts";
import { withoutDeepMembers, withoutDeepValues } from "../../large-content.ts";
import { withoutRules } from "../house-rules.ts";
import { unreadEvent } from "./large-message.ts";
import type { JupyterMessage } from "./message.ts";

export type ErrorEvent = Extract<KernelEvent, { type: "error" }>;

/** The event of an iopub message; null when it shows the user nothing. */
export function toEvent({ header, content, unread, large }: JupyterMessage): KernelEvent | null {
  if (unread !== undefined) return unreadEvent(header.msg_type, content, unread);
  switch (header.msg_type) {
    case "stream":
      return { type: "stream", name: content.name === "stderr" ? "stderr" : "stdout", text: stringOf(content.text) };
    case "display_data":
    case "update_display_data": {
      const displayId = objectOf(content.transient).display_id;
      return {
        type: "display",
        ...shownIn(content, large),
        ...(typeof displayId === "string" ? { displayId } : undefined),
        update: header.msg_type === "update_display_data",
      };
    }
    case "execute_result":
      return {
        type: "result",
        ...shownIn(content, large),
        executionCount: countOf(content.execution_count) ?? 0,
      };
    case "clear_output":
      return { type: "clear", wait: content.wait === true };
    case "error":
      return { ...toError(content), ...(large?.traceback && { large: large.traceback }) };
    default:
      return null;
  }
}

/** From an `error` message, or from a reply that says the same. */
export function toError(content: JsonObject): ErrorEvent {
  const traceback = Array.isArray(content.traceback) ? content.traceback.map(stringOf) : [];
  return {
    type: "error",
    name: stringOf(content.ename),
    message: stringOf(content.evalue),
    traceback: withoutRules(traceback),
  };
}

/** The answer to `obj?`: IPython puts it beside the reply, for a pager. */
export function pagesOf(reply: JsonObject): KernelEvent[] {
  const payload: readonly JsonValue[] = Array.isArray(reply.payload) ? reply.payload : [];
  return payload
    .map(objectOf)
    .filter((item) => item.source === "page")
    .map((page) => ({ type: "display", ...shownIn({ data: page.data ?? {} }), update: false, page: true }));
}

export function countOf(value: JsonValue | undefined): number | null {
  return typeof value === "number" ? value : null;
}

export function stringOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

const bundleOf = (value: JsonValue | undefined): MimeBundle => objectOf(value);

/** The user's code decides how deep a value is nested. */
function shownIn(
  { data, metadata }: JsonObject,
  handed?: LargeContents,
): Pick<ResultEvent, "data" | "metadata" | "large"> {
  const { data: shallow, large } = withoutDeepValues(bundleOf(data));
  const all = large || handed ? { large: { ...large, ...handed } } : undefined;
  return { data: shallow, ...all, metadata: withoutDeepMembers(bundleOf(metadata)) };
}

type ResultEvent = Extract<KernelEvent, { type: "result" }>;
