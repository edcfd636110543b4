import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { removeOldFiles } from "../../output/artifacts/remove-old-files.ts";
import type { PictureSize, PictureType } from "../../output/pictures/picture.ts";
import { pictureHeader } from "../../output/pictures/picture-header.ts";
import { writeFileAtomically } from "../../support/atomic-write.ts";

export interface SavedPicture extends PictureSize {
  readonly type: PictureType;
  readonly path: string;
}

const endings: Record<PictureType, string> = { "image/png": "png", "image/jpeg": "jpg" };

/**
 * Puts a picture into Granary's own folder, readable by the owner only. Named by its content, so the same
 * picture shown again is the same file. Null when the content is no such picture.
 */
export async function savePicture(folder: string, type: PictureType, base64: string): Promise<SavedPicture | null> {
  const bytes = Buffer.from(base64, "base64");
  const header = pictureHeader(bytes);
  if (header?.type !== type) return null;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await tidyOnce(folder);
  const name = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  const path = join(folder, `${name}.${endings[type]}`);
  await writeFileAtomically(path, bytes, { mode: 0o600 });
  return { type, path, width: header.width, height: header.height };
}

const keptDays = 7;
let tidied: Promise<void> | undefined;

/** Whoever adds pictures also removes those that nobody has looked at for long. */
function tidyOnce(folder: string): Promise<void> {
  tidied ??= removeOldFiles(folder, { olderThanDays: keptDays });
  return tidied;
}
