import type { InteractiveOptions } from "../../../view/interactive.ts";
import { interactivePreviewLines } from "../../../view/lines/preview-lines.ts";
import type { Look } from "./block.ts";

/** How the console shows what came of something. */
export function interactiveOptions(look: Look, { isRunning }: { readonly isRunning: boolean }): InteractiveOptions {
  const { width, theme, liveRows, pictures, expanded } = look;
  return {
    width,
    theme,
    pictures,
    expandKey: "ctrl+o",
    // What has scrolled away cannot be changed, so what still runs shows no more than a screen has.
    expanded: expanded && !isRunning,
    previewLines: isRunning ? Math.min(interactivePreviewLines, liveRows) : interactivePreviewLines,
  };
}
