import { terminalLook } from "../../../view/theme/terminal-look.ts";
import { type Theme, type ThemeOptions, themeFor } from "../../../view/theme/theme.ts";
import type { CommandContext } from "../command/command-context.ts";

/** What something is shown on: how much room there is, and which colours. */
export interface Canvas {
  readonly columns: number;
  readonly rows: number;
  readonly look: ThemeOptions;
  readonly theme: Theme;
}

/** As it is at this moment: windows change their size. Where no terminal is, nothing has a colour. */
export function canvasOf(context: CommandContext, name: "stdout" | "stderr" = "stdout"): Canvas {
  const stream = context[name];
  const look = context.isTerminal(name) ? terminalLook(context.env) : noColours;
  // A terminal of unknown size says 0.
  return { columns: stream.columns || 80, rows: stream.rows || 24, look, theme: themeFor(look) };
}

const noColours: ThemeOptions = { colors: 0, background: "dark" };
