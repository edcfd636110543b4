import type { ImagePart } from "../output/display/display-part.ts";
import type { Theme } from "./theme/theme.ts";

/** Rendering options. Every renderer returns lines of at most `width` columns. */
export interface ViewOptions {
  /** In columns, 20 or more. */
  readonly width: number;
  /** Show everything instead of a preview. */
  readonly expanded: boolean;
  readonly theme: Theme;
  /** `Date.now()`, to show how long something has been running. Omit it to hide durations. */
  readonly now?: number | undefined;
  /** Returns the lines that draw a picture within this many columns; shown unchanged. Without it pictures are named. */
  readonly pictures?: ((part: ImagePart, width: number) => readonly string[]) | undefined;
  /** The key that shows the rest, for lines that announce more: `ctrl+o`. */
  readonly expandKey?: string | undefined;
  /** True when the result is shown below the call, which then omits the code. */
  readonly answered?: boolean | undefined;
}
