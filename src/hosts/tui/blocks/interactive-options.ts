import type { InteractiveOptions } from "../../../view/interactive.ts";
import { interactivePreviewLines } from "../../../view/lines/preview-lines.ts";
import type { Look } from "./block.ts";

export interface Progress {
  readonly isRunning: boolean;
  /** Somebody answers its questions, as those of a debugger: what was said last is what matters. */
  readonly isConversation?: boolean;
}

/** How the console shows what came of something. */
export function interactiveOptions(look: Look, { isRunning, isConversation = false }: Progress): InteractiveOptions {
  const isTalking = isRunning && isConversation;
  const { width, theme, liveRows, pictures, expanded } = look;
  return {
    width,
    theme,
    pictures,
    expandKey: "ctrl+o shows all",
    // What has scrolled away cannot be changed, so what still runs shows no more than a screen has.
    expanded: expanded && !isRunning,
    previewLines: isTalking
      ? liveRows
      : isRunning
        ? Math.min(interactivePreviewLines, liveRows)
        : interactivePreviewLines,
    keeps: isTalking ? "end" : "both-ends",
  };
}
