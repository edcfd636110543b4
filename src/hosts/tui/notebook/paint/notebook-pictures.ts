import { PictureGallery } from "../../../../view/pictures/picture-gallery.ts";
import { answersSixel, type PictureChoice, pictureProtocol } from "../../../../view/pictures/picture-protocol.ts";
import type { ThemeOptions } from "../../../../view/theme/theme.ts";
import type { TerminalSize } from "../../screen.ts";

export interface NotebookPicturesOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly choice?: PictureChoice | undefined;
  readonly look: ThemeOptions;
  /** Called when a picture is ready for its reserved rows. */
  onReady(): void;
}

/** A notebook's pictures: in the terminal's best protocol, or as characters where they are cut off. */
export class NotebookPictures {
  readonly whole: PictureGallery;
  readonly inPart: PictureGallery;
  readonly areWanted: boolean;
  /** Whether the terminal may support more than its environment says. */
  readonly mayBeMore: boolean;

  constructor({ env, choice = "auto", look, onReady }: NotebookPicturesOptions) {
    const protocol = pictureProtocol(env, choice);
    this.areWanted = protocol !== null;
    this.mayBeMore = choice === "auto" && protocol === "half-block";
    this.whole = new PictureGallery({ ...look, protocol: protocol ?? "half-block" }, onReady);
    this.inPart = new PictureGallery({ ...look, protocol: "half-block" }, onReady);
  }

  measured(cellPixels: NonNullable<TerminalSize["cellPixels"]>): void {
    this.whole.change({ cellPixels });
  }

  seenOn(background: ThemeOptions["background"]): void {
    this.whole.change({ background });
    this.inPart.change({ background });
  }

  /** Handles the terminal's reply. */
  hear(reply: string): void {
    if (this.mayBeMore && answersSixel(reply) === true) this.whole.change({ protocol: "sixel" });
  }
}
