import { type StoredEvent, storedEvent } from "../../../../execute/notebook/stored-event.ts";
import type { MimeBundle } from "../../../../kernel/events.ts";
import type { NotebookCell } from "../../../../notebook/cell.ts";
import { asOutput } from "../../../../notebook/output.ts";
import { displayText, type KeptPart, type RenderedDisplay } from "../../../../output/display/display-part.ts";
import { renderDisplay } from "../../../../output/display/render-display.ts";
import { sanitize } from "../../../../output/text/sanitize.ts";
import { placePictures } from "../../terminal/place-pictures.ts";

/** A stored output. Its text is made safe: a terminal must not execute control sequences from a file. */
export interface StoredOutput extends RenderedDisplay {
  readonly type: StoredEvent["type"] | "unknown";
  /** Empty for text and tracebacks. */
  readonly data: MimeBundle;
}

/** @param pictureFolder where pictures are saved, so that the text can name their files */
export function storedOutputs(cell: NotebookCell, pictureFolder: string): Promise<readonly StoredOutput[]> {
  return Promise.all(
    cell.outputs.map(async (stored) => {
      const output = asOutput(stored);
      if (output === null) return { ...plain("[an output of an unknown kind]"), type: "unknown", data: {} } as const;
      const event = storedEvent(output);
      const data = event.type === "display" ? event.data : {};
      return { ...(await shown(event, pictureFolder)), type: event.type, data };
    }),
  );
}

async function shown(event: StoredEvent, pictureFolder: string): Promise<RenderedDisplay> {
  switch (event.type) {
    case "stream":
      return plain(sanitize(event.text));
    case "error":
      return plain(sanitize(event.traceback.join("\n")));
    case "display":
      return shownDisplay(event, pictureFolder);
  }
}

const plain = (text: string): RenderedDisplay => ({ text, parts: [] });

/** The text beside a picture is only a placeholder such as `<Figure size 640x480>`. */
async function shownDisplay(event: StoredEvent & { type: "display" }, folder: string): Promise<RenderedDisplay> {
  const placed = await placePictures(event.data, folder);
  if (placed !== null) return plain(sanitize(placed.text));
  const display = await renderDisplay(event.data, event.metadata);
  const paths = new Map<KeptPart, string | null>();
  for (const part of display.parts) if (part.type === "kept") paths.set(part, await pathOf(part, folder));
  const text = displayText(display, (part) => paths.get(part) ?? null);
  const length = display.begins?.length ?? 0;
  const beginning = sanitize(text.slice(0, length));
  const begins = display.begins && { ...display.begins, length: beginning.length };
  return { text: beginning + sanitize(text.slice(length)), parts: display.parts, begins };
}

/** The saved file of a drawing, or of a picture that terminals cannot show; null for everything else. */
async function pathOf({ mimeType, content }: KeptPart, folder: string): Promise<string | null> {
  const isAtHand = typeof content === "string" || content instanceof Uint8Array;
  if (!mimeType.startsWith("image/") || !isAtHand || content.length === 0) return null;
  const { saveDrawing } = await import("../../terminal/save-picture.ts");
  // A picture that cannot be saved is only named.
  return saveDrawing(folder, mimeType, content).catch(() => null);
}
