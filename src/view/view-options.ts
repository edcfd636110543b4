import type { ImagePart } from "../output/display/display-part.ts";
import type { Theme } from "./theme/theme.ts";

/** How something is to be shown. Every renderer returns lines that are at most `width` columns wide. */
export interface ViewOptions {
  /** In columns, 20 or more. */
  readonly width: number;
  /** Everything, instead of a preview. */
  readonly expanded: boolean;
  readonly theme: Theme;
  /** `Date.now()`, for how long something has been running. Without it that is not said. */
  readonly now?: number | undefined;
  /** The lines that draw a picture within so many columns; they are shown as they are. Without it pictures are named. */
  readonly pictures?: ((part: ImagePart, width: number) => readonly string[]) | undefined;
  /** What to press for the rest, for lines that say that there is more: `ctrl+o`. */
  readonly expandKey?: string | undefined;
  /** True when the result is shown below the call, which then need not show the code, too. */
  readonly answered?: boolean | undefined;
}
