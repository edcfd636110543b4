import type { ImagePart } from "../../../output/display/display-part.ts";
import type { Theme } from "../../../view/theme/theme.ts";

/** A piece of the transcript: a cell with its output, a command, a note. */
export interface TranscriptBlock {
  render(look: Look): readonly string[];
  /** What follows belongs to it: there is no blank line between them. */
  readonly isHeading?: boolean;
  /** How it ends is still to be told: it must not get out of sight before that. */
  readonly isUnderWay?: boolean;
  /** Another block follows: what is only news can stop changing. */
  settle?(): void;
}

export interface Look {
  readonly width: number;
  /** How many rows something may have that still changes: what has scrolled away cannot be changed. */
  readonly liveRows: number;
  readonly expanded: boolean;
  readonly theme: Theme;
  /** The lines that draw a picture; none where it cannot be drawn. */
  pictures(part: ImagePart, width: number): readonly string[];
  /** Another when pictures or styles have changed. */
  readonly asOf: string;
}

/** Lines that are made again only when something is different. */
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
