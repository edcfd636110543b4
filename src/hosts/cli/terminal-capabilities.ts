import type { Surroundings } from "./surroundings.ts";

export interface TerminalCapabilities {
  readonly isTerminal: boolean;
  readonly columns: number | null;
  readonly colours: "none" | "16" | "256" | "true colour";
  /** How a picture can be shown; half blocks work wherever there are colours. */
  readonly pictures: "kitty" | "iTerm2" | "half blocks" | "none";
}

/** What the terminal says about itself in the environment. Nothing is asked, so nothing can hang. */
export function terminalCapabilities({ env, isTerminal, stdout }: Surroundings): TerminalCapabilities {
  const colours = isTerminal("stdout") ? colourDepth(env) : "none";
  return {
    isTerminal: isTerminal("stdout"),
    // A terminal of unknown size says 0.
    columns: ("columns" in stdout && typeof stdout.columns === "number" && stdout.columns) || null,
    colours,
    pictures: isTerminal("stdout") ? pictureProtocol(env, colours) : "none",
  };
}

function colourDepth(env: Surroundings["env"]): TerminalCapabilities["colours"] {
  // An empty NO_COLOR counts as not set: https://no-color.org
  if (env.NO_COLOR || env.TERM === "dumb") return "none";
  if (env.COLORTERM === "truecolor" || env.COLORTERM === "24bit") return "true colour";
  return env.TERM?.includes("256color") ? "256" : "16";
}

function pictureProtocol(
  env: Surroundings["env"],
  colours: TerminalCapabilities["colours"],
): TerminalCapabilities["pictures"] {
  const insideMultiplexer = env.TMUX !== undefined || env.TERM?.startsWith("screen");
  if (!insideMultiplexer) {
    if (env.KITTY_WINDOW_ID || env.TERM === "xterm-kitty" || env.TERM_PROGRAM === "ghostty") return "kitty";
    if (env.TERM_PROGRAM === "iTerm.app" || env.TERM_PROGRAM === "WezTerm") return "iTerm2";
  }
  return colours === "none" ? "none" : "half blocks";
}
