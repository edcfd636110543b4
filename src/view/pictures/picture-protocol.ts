import type { PictureProtocol } from "./picture-block.ts";

/** `auto` is what the environment says. */
export type PictureChoice = PictureProtocol | "auto" | "none";

/** How pictures are shown in this terminal; null when they are not to be. Nothing is asked, so nothing can hang. */
export function pictureProtocol(
  env: Readonly<Record<string, string | undefined>>,
  choice: PictureChoice = "auto",
): PictureProtocol | null {
  if (choice !== "auto") return choice === "none" ? null : choice;
  const term = env.TERM ?? "";
  if (term === "dumb") return null;
  // A multiplexer keeps what it does not know from the terminal around it, whatever that one can do.
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

/** Asks a terminal what it is; it answers as if somebody had typed. */
export const askForSixel = "\u001b[c";

/** Whether the answer names sixel, which is 4; null when this is no such answer. */
export function answersSixel(typed: string): boolean | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the answer is an escape sequence
  const answer = /^\u001b\[\?([\d;]+)c$/.exec(typed);
  return answer === null ? null : (answer[1] ?? "").split(";").slice(1).includes("4");
}
