import type { KernelEvent, MimeBundle } from "../../kernel/events.ts";
import { joined } from "../../notebook/cell.ts";
import { asOutput, isJsonMime, type NotebookOutput } from "../../notebook/output.ts";
import type { Capture } from "../../output/capture.ts";
import type { JsonObject } from "../../support/json/value.ts";

/** Puts what a notebook stores of a cell into a capture, as if the cell had just put it out. */
export async function takeOutputs(
  outputs: readonly JsonObject[],
  capture: Pick<Capture, "take" | "note">,
): Promise<void> {
  for (const stored of outputs) {
    const output = asOutput(stored);
    if (output === null) await capture.note("[an output of an unknown kind]");
    else await capture.take(asEvent(output));
  }
}

function asEvent(output: NotebookOutput): KernelEvent {
  switch (output.output_type) {
    case "stream":
      return { type: "stream", name: output.name === "stderr" ? "stderr" : "stdout", text: joined(output.text) };
    case "error": {
      const { ename: name, evalue: message, traceback } = output;
      return { type: "error", name, message, traceback: traceback.length === 0 ? [`${name}: ${message}`] : traceback };
    }
    default:
      return { type: "display", data: bundleOf(output.data), metadata: output.metadata as MimeBundle, update: false };
  }
}

/** Text may be stored as a list of lines. */
function bundleOf(data: JsonObject): MimeBundle {
  return Object.fromEntries(
    Object.entries(data).map(([mime, value]) => [mime, isJsonMime(mime) ? value : joined(value)]),
  );
}
