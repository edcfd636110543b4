import type { MimeBundle } from "../../../kernel/events.ts";
import type { PictureType } from "../../../output/pictures/picture.ts";
import { systemReason } from "../../../support/files/system-reason.ts";
import type { SavedPicture } from "./save-picture.ts";

/** Pictures in a place that holds only text: they are files, and the text says where. */
interface Placed {
  readonly text: string;
  readonly pictures: readonly SavedPicture[];
}

export const pictureTypes = ["image/png", "image/jpeg"] as const;

/** Saves the pictures of a bundle; null when it has none. */
export async function placePictures(data: MimeBundle, folder: string): Promise<Placed | null> {
  const placed = await Promise.all(
    pictureTypes.flatMap((type) => {
      const content = data[type];
      return typeof content === "string" ? [placePicture(type, content, folder)] : [];
    }),
  );
  if (placed.length === 0) return null;
  return { text: placed.map(({ text }) => text).join("\n"), pictures: placed.flatMap(({ pictures }) => pictures) };
}

async function placePicture(type: PictureType, base64: string, folder: string): Promise<Placed> {
  const { savePicture } = await import("./save-picture.ts");
  try {
    const saved = await savePicture(folder, type, base64);
    if (saved === null) return { text: `[${type}: broken picture, not saved]`, pictures: [] };
    return { text: `[${type} ${saved.width}x${saved.height} → ${saved.path}]`, pictures: [saved] };
  } catch (error) {
    // A full disk must not turn a cell that worked into one that failed.
    return { text: `[${type}: could not be saved: ${systemReason(error)}]`, pictures: [] };
  }
}
