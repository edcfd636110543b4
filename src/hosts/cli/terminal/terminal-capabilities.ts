import type { PictureChoice } from "../../../view/pictures/picture-protocol.ts";
import type { CommandContext } from "../command/command-context.ts";
import { canvasOf } from "./canvas.ts";
import { drawingProtocol } from "./drawing-protocol.ts";

export interface TerminalCapabilities {
  readonly isTerminal: boolean;
  readonly columns: number | null;
  readonly colours: "none" | "16" | "256" | "true colour";
  /** How pictures are shown; half blocks work wherever there are colours. */
  readonly pictures: "kitty" | "iTerm2" | "sixel" | "half blocks" | "none";
}

/** Capabilities by environment variables and settings. The terminal itself is not asked, so nothing can hang. */
export function terminalCapabilities(context: CommandContext, choice: PictureChoice): TerminalCapabilities {
  const isTerminal = context.isTerminal("stdout");
  const { look } = canvasOf(context);
  const protocol = isTerminal ? drawingProtocol(context, look, choice) : null;
  return {
    isTerminal,
    // A terminal of unknown size reports 0.
    columns: context.stdout.columns || null,
    colours: colourNames[look.colors],
    pictures: protocol === null ? "none" : pictureNames[protocol],
  };
}

const colourNames = { 0: "none", 16: "16", 256: "256", true: "true colour" } as const;

const pictureNames = { kitty: "kitty", iterm2: "iTerm2", sixel: "sixel", "half-block": "half blocks" } as const;
