import type { PictureProtocol } from "../../../view/pictures/picture-block.ts";
import { type PictureChoice, pictureProtocol } from "../../../view/pictures/picture-protocol.ts";
import type { ThemeOptions } from "../../../view/theme/theme.ts";
import type { CommandContext } from "../command/command-context.ts";

/** How pictures are drawn where commands print; null when their paths have to do. */
export function drawingProtocol(
  { env }: CommandContext,
  { colors }: ThemeOptions,
  choice: PictureChoice,
): PictureProtocol | null {
  const protocol = pictureProtocol(env, choice);
  // Characters without colours hardly show a picture; whoever wants them all the same chooses them.
  return protocol === "half-block" && colors === 0 && choice === "auto" ? null : protocol;
}
