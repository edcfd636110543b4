import { storedEvent } from "../../execute/notebook/stored-event.ts";
import { asOutput } from "../../notebook/output.ts";
import type { Capture } from "../../output/capture.ts";
import type { JsonObject } from "../../support/json/value.ts";

/** Feeds a cell's stored outputs into a capture, as if the cell had just run. */
export async function takeOutputs(
  outputs: readonly JsonObject[],
  capture: Pick<Capture, "take" | "note">,
): Promise<void> {
  for (const stored of outputs) {
    const output = asOutput(stored);
    if (output === null) await capture.note("[an output of an unknown kind]");
    else await capture.take(storedEvent(output));
  }
}
