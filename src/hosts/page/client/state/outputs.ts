import type { Signal } from "@preact/signals";
import type { PageOutput } from "../../api/cells.ts";
import type { SessionEvent } from "../../api/events.ts";
import { appendText, noText } from "../../api/long-text.ts";

/** Takes an event about the outputs of a cell into them. */
export function takeOutput(
  outputs: Signal<readonly PageOutput[]>,
  event: Extract<SessionEvent, { readonly type: "text" | "output" | "clear" }>,
): void {
  if (event.type === "clear") {
    outputs.value = [];
    return;
  }
  const all = [...outputs.value];
  const before = all[event.at];
  all[event.at] =
    event.type === "output"
      ? event.output
      : appendText(before?.kind === "text" ? before : noText(event.stream), event.text, event.skipped);
  outputs.value = all;
}
