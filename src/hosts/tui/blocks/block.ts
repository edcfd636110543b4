import type { ImagePart } from "../../../output/display/display-part.ts";
import type { Theme } from "../../../view/theme/theme.ts";

/** A piece of the transcript: a cell with its output, a command, a note. */
export interface TranscriptBlock {
  render(look: Look): readonly string[];
  /** The next block belongs to it: there is no blank line between them. */
  readonly isHeading?: boolean;
  /** It has not ended yet, so it must stay on the screen. */
  readonly isUnderWay?: boolean;
  /** Called when another block follows: a block that shows live state can stop changing. */
  settle?(): void;
}

export interface Look {
  readonly width: number;
  /** The most rows for content that still changes: scrolled-away rows cannot change. */
  readonly liveRows: number;
  readonly expanded: boolean;
  readonly theme: Theme;
  /** The lines that draw a picture; none where the terminal cannot draw it. */
  pictures(part: ImagePart, width: number): readonly string[];
  /** Changes when pictures or styles have changed. */
  readonly asOf: string;
}

/** Cached lines, rendered again only after a change. */
export class RenderedLines {
  #key = "";
  #lines: readonly string[] = [];

  get(look: Look, version: string | number, render: () => readonly string[]): readonly string[] {
    const key = `${version} ${look.width} ${look.liveRows} ${look.expanded} ${look.asOf}`;
    if (key !== this.#key) {
      this.#lines = render();
      this.#key = key;
    }
    return this.#lines;
  }
}
