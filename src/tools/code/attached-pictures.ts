import type { CapturedDisplay } from "../../output/capture.ts";
import type { ImagePart } from "../../output/display/display-part.ts";
import type { ToolContent } from "../definition/tool.ts";
import { fitPictures } from "./fit-pictures.ts";
import type { SmallPicture } from "./shrink-picture.ts";

export interface AttachedPictures {
  /** One for each picture; null for one that is not attached. */
  readonly content: readonly (ToolContent | null)[];
  /** Sentences about those that are not attached unchanged. */
  readonly notices: readonly string[];
  /** The addresses of originals whose pictures are not attached in the size that the text has named. */
  readonly resized: ReadonlySet<string>;
}

/** A displayed picture. */
export interface ShownPicture {
  readonly picture: ImagePart;
  /** The address of the code's original, if that was scaled when displayed; null when `picture` is the original. */
  readonly keptAt: string | null;
}

/** In the order in which they were displayed. */
export function picturesIn(displays: readonly CapturedDisplay[]): readonly ShownPicture[] {
  return displays.flatMap(({ parts }) =>
    parts.flatMap((part, index) => {
      if (part.type !== "image") return [];
      const isScaled = Buffer.byteLength(part.base64, "base64") !== part.original.bytes;
      // Its original follows it directly.
      const next = parts[index + 1];
      return [{ picture: part, keptAt: isScaled && next?.type === "kept" ? next.address : null }];
    }),
  );
}

/** Stores a picture and returns its address; null when that failed. */
export type KeepPicture = (bytes: Buffer, mimeType: string) => Promise<string | null>;

/** Attaches pictures within a budget, since clients refuse results that are too long, pictures included. */
export async function picturesWithin(
  pictures: readonly ShownPicture[],
  budgetCharacters: number,
  keep: KeepPicture,
): Promise<AttachedPictures> {
  const fitted = await fitPictures(
    pictures.map(({ picture }) => picture.base64),
    budgetCharacters,
  );
  const content: (ToolContent | null)[] = [];
  const changed: ChangedPicture[] = [];
  const resized = new Set<string>();
  for (const [index, { picture, keptAt }] of pictures.entries()) {
    const fit = fitted[index] ?? null;
    const attached = fit === "whole" ? picture : fit;
    content.push(attached && { type: "image", base64: attached.base64, mimeType: attached.mimeType });
    if (fit === "whole") continue;
    if (keptAt !== null) resized.add(keptAt);
    const address = keptAt ?? (await keep(Buffer.from(picture.base64, "base64"), picture.mimeType));
    changed.push({ number: index + 1, attached: fit, address });
  }
  return { content, notices: explain(changed, pictures.length), resized };
}

/** A picture that is not attached unchanged. */
interface ChangedPicture {
  readonly number: number;
  /** Null when it is not attached at all. */
  readonly attached: SmallPicture | null;
  readonly address: string | null;
}

function explain(changed: readonly ChangedPicture[], of: number): readonly string[] {
  const smaller = changed.filter(({ attached }) => attached !== null);
  const missing = changed.filter(({ attached }) => attached === null);
  return [
    ...sentence(smaller, of, `attached smaller${sizeOf(smaller)}, to keep the result short`),
    ...sentence(missing, of, "not attached, because there are too many"),
  ];
}

/** `Pictures 2, 3 of 4 are …; as they were: artifact://main-1, artifact://main-2.` One sentence each would fill a page. */
function sentence(pictures: readonly ChangedPicture[], of: number, what: string): readonly string[] {
  if (pictures.length === 0) return [];
  const isOne = pictures.length === 1;
  const numbers = pictures.map(({ number }) => number).join(", ");
  const addresses = pictures.map(({ address }) => address).filter((address) => address !== null);
  const where = addresses.length === 0 ? "" : `; as ${isOne ? "it was" : "they were"}: ${addresses.join(", ")}`;
  return [`${isOne ? "Picture" : "Pictures"} ${numbers} of ${of} ${isOne ? "is" : "are"} ${what}${where}.`];
}

/** `, at 126x95`; for several, one size after the other, unless all are equal. */
function sizeOf(pictures: readonly ChangedPicture[]): string {
  const sizes = pictures.map(({ attached }) => `${attached?.width}x${attached?.height}`);
  return `, at ${(new Set(sizes).size === 1 ? sizes.slice(0, 1) : sizes).join(", ")}`;
}
