import type { InteractiveOptions } from "../../../view/interactive.ts";
import { interactivePreviewLines } from "../../../view/lines/preview-lines.ts";
import type { Look } from "./block.ts";

export interface Progress {
  readonly isRunning: boolean;
  /** A person answers its questions, as in a debugger: the end of the output matters most. */
  readonly isConversation?: boolean;
}

/** How the console renders a result. */
export function interactiveOptions(look: Look, { isRunning, isConversation = false }: Progress): InteractiveOptions {
  const isTalking = isRunning && isConversation;
  const { width, theme, liveRows, pictures, expanded } = look;
  return {
    width,
    theme,
    pictures,
    expandKey: "ctrl+o shows all",
    // Scrolled-away lines cannot change, so a running cell shows at most one screen.
    expanded: expanded && !isRunning,
    previewLines: isTalking
      ? liveRows
      : isRunning
        ? Math.min(interactivePreviewLines, liveRows)
        : interactivePreviewLines,
    keeps: isTalking ? "end" : "both-ends",
  };
}
