import { type EncodedPicture, showablePicture } from "./decode-picture.ts";
import type { PictureBlock, Room } from "./picture-block.ts";
import { type PictureOptions, pictureLines, pictureRoom } from "./picture-lines.ts";

export type GalleryOptions = Omit<PictureOptions, "columns" | "rows" | "place" | "signal">;

/** More than a screen can show; the least recently used is encoded again on demand. */
const mostKept = 64;

/**
 * Pictures for renderers that cannot wait: the first request returns as many empty lines as the picture will have, and
 * `onReady` is called when the next request returns the picture.
 */
export class PictureGallery {
  readonly #onReady: () => void;
  readonly #blocks = new Map<string, PictureBlock | null>();
  #options: GalleryOptions;

  constructor(options: GalleryOptions, onReady: () => void) {
    this.#options = options;
    this.#onReady = onReady;
  }

  get options(): GalleryOptions {
    return this.#options;
  }

  /** Called when the terminal turns out to support more, or its character size changes. */
  change(options: Partial<GalleryOptions>): void {
    this.#options = { ...this.#options, ...options };
    this.#blocks.clear();
    this.#onReady();
  }

  /** Null for a picture that cannot be shown, so that the caller can name it instead. */
  block(image: EncodedPicture, limit: Room, place?: string): PictureBlock | null {
    const options = { ...this.#options, columns: limit.columns, rows: limit.rows, place };
    const key = `${limit.columns}x${limit.rows} ${place ?? ""} ${image.base64}`;
    const kept = this.#blocks.get(key);
    if (kept !== undefined) return this.#keep(key, kept);
    const picture = showablePicture(image);
    if (picture === null) return this.#keep(key, null);
    const room = pictureRoom(picture, options);
    const reserved = this.#keep(key, { ...room, lines: Array<string>(room.rows).fill("") });
    void this.#encode(key, image, options);
    return reserved;
  }

  async #encode(key: string, image: EncodedPicture, options: PictureOptions): Promise<void> {
    const asked = this.#options;
    const block = await pictureLines(image, options).catch(() => null);
    if (this.#options !== asked || !this.#blocks.has(key)) return;
    this.#blocks.set(key, block);
    this.#onReady();
  }

  #keep<Block extends PictureBlock | null>(key: string, block: Block): Block {
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > mostKept && oldest !== undefined) this.#blocks.delete(oldest);
    return block;
  }
}
