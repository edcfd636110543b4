import type { KernelEvent, MimeBundle } from "../../kernel/events.ts";
import { joined } from "../../notebook/cell.ts";
import { isJsonMime, isText, type NotebookOutput } from "../../notebook/output.ts";
import type { JsonObject } from "../../support/json/value.ts";

export type StoredEvent = Extract<KernelEvent, { type: "stream" | "display" | "error" }>;

/** An output of a notebook as the event that it was, for those who show both. */
export function storedEvent(output: NotebookOutput): StoredEvent {
  switch (output.output_type) {
    case "stream":
      return { type: "stream", name: output.name === "stderr" ? "stderr" : "stdout", text: joined(output.text) };
    case "error": {
      const { ename: name, evalue: message, traceback } = output;
      const isTold = traceback.some((line) => line !== "");
      return { type: "error", name, message, traceback: isTold ? traceback : [`${name}: ${message}`] };
    }
    default:
      return { type: "display", data: bundleOf(output.data), metadata: output.metadata as MimeBundle, update: false };
  }
}

/** Text may be stored as a list of lines. */
function bundleOf(data: JsonObject): MimeBundle {
  return Object.fromEntries(
    Object.entries(data).map(([mime, value]) => [mime, isJsonMime(mime) || !isText(value) ? value : joined(value)]),
  );
}
