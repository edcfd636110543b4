import type { ImagePart } from "../../../output/display/display-part.ts";
import type { Environment } from "../../../support/environment.ts";

/** Saves a picture for a person in Granary's home; null where that failed. */
export function savePictureIn(env: Environment): (part: ImagePart) => Promise<string | null> {
  return async ({ mimeType, base64 }) => {
    const [{ savePicture }, { pictureFolder }] = await Promise.all([
      import("../terminal/save-picture.ts"),
      import("../command/open-runtime.ts"),
    ]);
    const saved = await savePicture(pictureFolder(env), mimeType, base64).catch(() => null);
    return saved?.path ?? null;
  };
}
