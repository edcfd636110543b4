export interface SmallPicture {
  readonly base64: string;
  readonly mimeType: "image/png" | "image/jpeg";
  readonly width: number;
  readonly height: number;
}

/** A picture, scaled down to this much base64. Throws when it cannot be decoded. */
export async function shrinkPicture(base64: string, characters: number, signal?: AbortSignal): Promise<SmallPicture> {
  const { fitPicture, pictureLimits } = await import("../../output/pictures/fit-picture.ts");
  // Three bytes become four characters, with padding at the end.
  const bytes = Math.floor((characters * 3) / 4) - 2;
  const fitted = await fitPicture(Buffer.from(base64, "base64"), { ...pictureLimits, bytes }, signal);
  const { type: mimeType, width, height } = fitted;
  return { base64: fitted.bytes.toString("base64"), mimeType, width, height };
}
