import { terminalLook } from "../../../view/theme/terminal-look.ts";
import { type Theme, type ThemeOptions, themeFor } from "../../../view/theme/theme.ts";
import type { CommandContext } from "../command/command-context.ts";

/** The size and the colours of a terminal. */
export interface Canvas {
  readonly columns: number;
  readonly rows: number;
  readonly look: ThemeOptions;
  readonly theme: Theme;
}

/** As of now, since windows change their size. Without a terminal there are no colours. */
export function canvasOf(context: CommandContext, name: "stdout" | "stderr" = "stdout"): Canvas {
  const stream = context[name];
  const look = context.isTerminal(name) ? terminalLook(context.env) : noColours;
  // A terminal of unknown size reports 0.
  return { columns: stream.columns || 80, rows: stream.rows || 24, look, theme: themeFor(look) };
}

const noColours: ThemeOptions = { colors: 0, background: "dark" };
