import type { PictureProtocol } from "../../../view/pictures/picture-block.ts";
import { type PictureChoice, pictureProtocol } from "../../../view/pictures/picture-protocol.ts";
import type { ThemeOptions } from "../../../view/theme/theme.ts";
import type { CommandContext } from "../command/command-context.ts";

/** How commands draw pictures; null when they print only the paths. */
export function drawingProtocol(
  { env }: CommandContext,
  { colors }: ThemeOptions,
  choice: PictureChoice,
): PictureProtocol | null {
  const protocol = pictureProtocol(env, choice);
  // Characters without colours hardly show a picture; the user can still choose them.
  return protocol === "half-block" && colors === 0 && choice === "auto" ? null : protocol;
}
