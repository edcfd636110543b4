import type { MimeBundle } from "../../kernel/events.ts";
import type { PictureType, SavedPicture } from "./save-picture.ts";

/** Something shown, made fit for a place that holds only text: pictures are files, the text says where. */
export interface Presented {
  readonly text: string;
  readonly pictures: readonly SavedPicture[];
}

const pictureTypes = ["image/png", "image/jpeg"] as const;

/** A picture speaks for itself: the text beside it is only a stand-in such as `<Figure size 640x480>`. */
export async function present(data: MimeBundle, pictureFolder: string): Promise<Presented> {
  const presented = await Promise.all(
    pictureTypes.flatMap((type) => {
      const content = data[type];
      return typeof content === "string" ? [presentPicture(type, content, pictureFolder)] : [];
    }),
  );
  if (presented.length === 0) return { text: textOf(data), pictures: [] };
  return {
    text: presented.map(({ text }) => text).join("\n"),
    pictures: presented.flatMap(({ pictures }) => pictures),
  };
}

async function presentPicture(type: PictureType, base64: string, folder: string): Promise<Presented> {
  const { savePicture } = await import("./save-picture.ts");
  try {
    const saved = await savePicture(folder, type, base64);
    if (saved === null) return { text: `[${type}: broken picture, not saved]`, pictures: [] };
    return { text: `[${type} ${saved.width}x${saved.height} → ${saved.path}]`, pictures: [saved] };
  } catch (error) {
    // A full disk must not turn a cell that worked into one that failed.
    return { text: `[${type}: could not be saved: ${(error as Error).message}]`, pictures: [] };
  }
}

function textOf(data: MimeBundle): string {
  for (const type of ["text/markdown", "text/plain", "text/html", "text/latex"]) {
    const content = data[type];
    if (typeof content === "string") return content;
  }
  const json = data["application/json"];
  if (json !== undefined) return JSON.stringify(json, null, 2);
  return Object.keys(data)
    .map((type) => `[${type}]`)
    .join(" ");
}
