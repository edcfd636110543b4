import { createHash } from "node:crypto";
import { join } from "node:path";
import { removeOldFiles } from "../../../output/artifacts/remove-old-files.ts";
import type { PictureSize, PictureType } from "../../../output/pictures/picture.ts";
import { pictureHeader } from "../../../output/pictures/picture-header.ts";
import { writeFileAtomically } from "../../../support/files/atomic-write.ts";
import { makeFolder } from "../../../support/files/make-folder.ts";

export interface SavedPicture extends PictureSize {
  readonly type: PictureType;
  readonly path: string;
}

const endings: Record<PictureType, string> = { "image/png": "png", "image/jpeg": "jpg" };

/** Saves a picture in Granary's own folder. Null when the content is not of that type. */
export async function savePicture(folder: string, type: PictureType, base64: string): Promise<SavedPicture | null> {
  const bytes = Buffer.from(base64, "base64");
  const header = pictureHeader(bytes);
  if (header?.type !== type) return null;
  const path = await save(folder, endings[type], bytes);
  return { type, path, width: header.width, height: header.height };
}

/** The same for types that are saved without a check, such as `image/svg+xml` or `image/gif`. Returns the path. */
export function saveDrawing(folder: string, mimeType: string, content: string | Uint8Array): Promise<string> {
  // The type comes from an untrusted file: only one word of it becomes part of a path.
  const ending = /^image\/([a-z0-9]+)/.exec(mimeType)?.[1] ?? "picture";
  return save(folder, ending, content);
}

/** Readable by the owner only. Named by its content, so the same picture shown again is the same file. */
async function save(folder: string, ending: string, content: string | Uint8Array): Promise<string> {
  await makeFolder(folder, 0o700);
  await tidyOnce(folder);
  const name = createHash("sha256").update(content).digest("hex").slice(0, 16);
  const path = join(folder, `${name}.${ending}`);
  await writeFileAtomically(path, content, { mode: 0o600 });
  return path;
}

const keptDays = 7;
let tidied: Promise<void> | undefined;

/** The first picture of a process removes old ones. */
function tidyOnce(folder: string): Promise<void> {
  tidied ??= removeOldFiles(folder, { olderThanDays: keptDays });
  return tidied;
}
