import type { MimeBundle } from "../../../../kernel/events.ts";
import { joined, type NotebookCell } from "../../../../notebook/cell.ts";
import { asOutput, isJsonMime, isText, type NotebookOutput } from "../../../../notebook/output.ts";
import { displayText, type KeptPart } from "../../../../output/display/display-part.ts";
import { renderDisplay } from "../../../../output/display/render-display.ts";
import { sanitize } from "../../../../output/text/sanitize.ts";
import type { JsonObject } from "../../../../support/json/value.ts";
import { placePictures } from "../../terminal/place-pictures.ts";

/** What a notebook says that a cell has put out. */
export interface StoredOutput {
  readonly type: NotebookOutput["output_type"] | "unknown";
  /** To be read by anybody: a terminal must not obey what is in a file. */
  readonly text: string;
  /** Empty for text and tracebacks. */
  readonly data: MimeBundle;
}

/** @param pictureFolder where pictures are put, for the text to name their files */
export function storedOutputs(cell: NotebookCell, pictureFolder: string): Promise<readonly StoredOutput[]> {
  return Promise.all(
    cell.outputs.map(async (stored) => {
      const output = asOutput(stored);
      if (output === null) return { type: "unknown", text: "[an output of an unknown kind]", data: {} } as const;
      const data = "data" in output ? bundle(output.data) : {};
      return { type: output.output_type, text: sanitize(await textOf(output, data, pictureFolder)), data };
    }),
  );
}

async function textOf(output: NotebookOutput, data: MimeBundle, pictureFolder: string): Promise<string> {
  switch (output.output_type) {
    case "stream":
      return joined(output.text);
    case "error":
      return output.traceback.length === 0 ? `${output.ename}: ${output.evalue}` : output.traceback.join("\n");
    default:
      return shownText(data, pictureFolder);
  }
}

/** A picture speaks for itself: the text beside it is only a stand-in such as `<Figure size 640x480>`. */
async function shownText(data: MimeBundle, folder: string): Promise<string> {
  const placed = await placePictures(data, folder);
  if (placed !== null) return placed.text;
  const display = await renderDisplay(data);
  const paths = new Map<KeptPart, string | null>();
  for (const part of display.parts) if (part.type === "kept") paths.set(part, await pathOf(part, folder));
  return displayText(display, (part) => paths.get(part) ?? null);
}

/** Where a drawing, or a picture of a kind that is not drawn on terminals, was put; null for everything else. */
async function pathOf({ mimeType, content }: KeptPart, folder: string): Promise<string | null> {
  const isAtHand = typeof content === "string" || content instanceof Uint8Array;
  if (!mimeType.startsWith("image/") || !isAtHand || content.length === 0) return null;
  const { saveDrawing } = await import("../../terminal/save-picture.ts");
  // Where it cannot be saved, it is only named.
  return saveDrawing(folder, mimeType, content).catch(() => null);
}

function bundle(data: JsonObject): MimeBundle {
  return Object.fromEntries(
    Object.entries(data).map(([mime, value]) => [mime, isJsonMime(mime) || !isText(value) ? value : joined(value)]),
  );
}
