import type { ImagePart } from "../../output/display/display-part.ts";
import type { PictureGallery } from "../../view/pictures/picture-gallery.ts";
import {
  answersSixel,
  askForSixel,
  type PictureChoice,
  pictureProtocol,
} from "../../view/pictures/picture-protocol.ts";
import { clamp } from "../../view/text/fit.ts";
import type { Theme, ThemeOptions } from "../../view/theme/theme.ts";
import type { TerminalSize } from "./screen.ts";

/** Its name, the cell's duration, a blank line, the prompt and the status line. */
const rowsBelow = 5;
/** The code above it, and some space. */
const rowsAround = rowsBelow + 2;

export interface PictureContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly choice?: PictureChoice | undefined;
  /** The setting, when no command line option overrides it. Settings are read after the first paint. */
  setting?(): Promise<PictureChoice>;
  readonly look: ThemeOptions;
  /** Writes the picture to a file and returns its path; null when that fails. */
  savePicture(part: ImagePart): Promise<string | null>;
  write(text: string): void;
  /** Called when a picture becomes visible. */
  onChange(): void;
}

/** Pictures among the console's lines, each with its file. The code that draws them is loaded with the first picture. */
export class InlinePictures {
  readonly #context: PictureContext;
  readonly #files = new Map<ImagePart, string | null>();
  #gallery: PictureGallery | null = null;
  #isLoading = false;
  #version = 0;

  constructor(context: PictureContext) {
    this.#context = context;
  }

  /** Changes when `lines` would return other lines. */
  get version(): number {
    return this.#version;
  }

  /** @param wantedRows the most rows for the picture; 0 for as many as fit the screen */
  lines(part: ImagePart, columns: number, wantedRows: number, theme: Theme, size: TerminalSize): readonly string[] {
    const file = this.#fileOf(part);
    const gallery = this.#galleryFor(size);
    const seenRows = Math.max(1, size.rows - rowsBelow);
    // Only pictures made of characters can scroll; terminals draw other pictures whole or not at all.
    const mayScroll = gallery?.options.protocol === "half-block";
    const rows = wantedRows === 0 ? seenRows : mayScroll ? wantedRows : Math.min(wantedRows, seenRows);
    const block = gallery?.block(part, { columns, rows }, `${[...this.#files.keys()].indexOf(part)}`) ?? null;
    const { mimeType, original } = part;
    const name = `[${mimeType} ${original.width}x${original.height}${file === null ? "" : ` → ${file}`}]`;
    // Scrolled-away rows cannot be painted: reserve the rows that surely stay visible, and draw the rest later.
    const staysInSight = block !== null && block.rows <= size.rows - rowsAround;
    const isTooEarly = !staysInSight && block?.lines.every((line) => line === "");
    // Never folded: a broken path cannot be clicked or copied.
    const nameLine = theme.muted(clamp(name, Math.max(columns, size.columns)));
    return [...(isTooEarly ? [] : (block?.lines ?? [])), nameLine];
  }

  /** True when the terminal's reply was about pictures. */
  hears(reply: string): boolean {
    const canSixel = answersSixel(reply);
    if (canSixel) this.#gallery?.change({ protocol: "sixel" });
    return canSixel !== null;
  }

  #fileOf(part: ImagePart): string | null {
    const known = this.#files.get(part);
    if (known !== undefined) return known;
    this.#files.set(part, null);
    void this.#context.savePicture(part).then((path) => {
      this.#files.set(part, path);
      this.#change();
    });
    return null;
  }

  #galleryFor({ cellPixels }: TerminalSize): PictureGallery | null {
    if (this.#gallery === null && !this.#isLoading) {
      this.#isLoading = true;
      void this.#load(cellPixels);
    }
    return this.#gallery;
  }

  async #load(cellPixels: TerminalSize["cellPixels"]): Promise<void> {
    const { env, look, write } = this.#context;
    const choice = this.#context.choice ?? (await this.#context.setting?.());
    const protocol = pictureProtocol(env, choice);
    if (protocol === null) return;
    const { PictureGallery } = await import("../../view/pictures/picture-gallery.ts");
    this.#gallery = new PictureGallery({ ...look, protocol, cellPixels: cellPixels ?? undefined }, () =>
      this.#change(),
    );
    const mayBeMore = protocol === "half-block" && (choice ?? "auto") === "auto" && !env.TMUX && !env.STY;
    if (mayBeMore) write(askForSixel);
    this.#change();
  }

  #change(): void {
    this.#version += 1;
    this.#context.onChange();
  }
}
