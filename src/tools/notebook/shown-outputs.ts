import { storedEvent } from "../../execute/notebook/stored-event.ts";
import { asOutput } from "../../notebook/output.ts";
import type { Capture } from "../../output/capture.ts";
import { escapeHeadings } from "../../output/own-lines.ts";
import type { JsonObject } from "../../support/json/value.ts";

type StoredEvent = ReturnType<typeof storedEvent>;

/** A stored output cannot look like a heading of the next cell. The texts of displays are escaped when they are shown. */
function withoutHeadings(event: StoredEvent): StoredEvent {
  if (event.type === "stream") return { ...event, text: escapeHeadings(event.text) };
  if (event.type === "error") return { ...event, traceback: event.traceback.map(escapeHeadings) };
  return event;
}

/** Feeds a cell's stored outputs into a capture, as if the cell had just run. */
export async function takeOutputs(
  outputs: readonly JsonObject[],
  capture: Pick<Capture, "take" | "note">,
): Promise<void> {
  for (const stored of outputs) {
    const output = asOutput(stored);
    if (output === null) await capture.note("[an output of an unknown kind]");
    else await capture.take(withoutHeadings(storedEvent(output)));
  }
}
