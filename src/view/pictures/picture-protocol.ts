import type { PictureProtocol } from "./picture-block.ts";

/** `auto` follows the environment. */
export type PictureChoice = PictureProtocol | "auto" | "none";

/** The picture protocol of this terminal; null for none. Sends no query, so it cannot hang. */
export function pictureProtocol(
  env: Readonly<Record<string, string | undefined>>,
  choice: PictureChoice = "auto",
): PictureProtocol | null {
  if (choice !== "auto") return choice === "none" ? null : choice;
  const term = env.TERM ?? "";
  if (term === "dumb") return null;
  // A multiplexer filters sequences that it does not know, even if the outer terminal supports them.
  if (env.TMUX || env.STY || /^(screen|tmux)/.test(term)) return "half-block";
  return known.find(({ is }) => is(env, term))?.protocol ?? "half-block";
}

interface KnownTerminal {
  readonly protocol: PictureProtocol;
  is(env: Readonly<Record<string, string | undefined>>, term: string): boolean;
}

const isProgram = (env: Readonly<Record<string, string | undefined>>, ...names: string[]) =>
  names.includes(env.TERM_PROGRAM?.toLowerCase() ?? "");

const known: readonly KnownTerminal[] = [
  {
    protocol: "kitty",
    is: (env, term) =>
      Boolean(env.KITTY_WINDOW_ID || env.GHOSTTY_RESOURCES_DIR) ||
      /kitty|ghostty/.test(term) ||
      isProgram(env, "kitty", "ghostty"),
  },
  {
    protocol: "iterm2",
    is: (env) =>
      Boolean(env.WEZTERM_PANE || env.ITERM_SESSION_ID) ||
      isProgram(env, "iterm.app", "wezterm", "mintty") ||
      env.LC_TERMINAL === "iTerm2",
  },
  { protocol: "sixel", is: (env, term) => /^(foot|mlterm|contour|yaft)/.test(term) || isProgram(env, "contour") },
];

/** Asks a terminal for its attributes; it answers as if typed. */
export const askForSixel = "\u001b[c";

/** Whether the answer names sixel, which is 4; null when this is no such answer. */
export function answersSixel(typed: string): boolean | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the answer is an escape sequence
  const answer = /^\u001b\[\?([\d;]+)c$/.exec(typed);
  return answer === null ? null : (answer[1] ?? "").split(";").slice(1).includes("4");
}
