import type { ThemeOptions } from "./theme.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How many colours a terminal has, and whether its background is dark, according to the environment. */
export function terminalLook(env: Environment): ThemeOptions {
  return { colors: colourDepth(env), background: background(env) };
}

function colourDepth(env: Environment): ThemeOptions["colors"] {
  // An empty NO_COLOR counts as not set: https://no-color.org
  if (env.NO_COLOR || env.TERM === "dumb") return 0;
  if (env.COLORTERM === "truecolor" || env.COLORTERM === "24bit") return "true";
  return env.TERM?.includes("256color") ? 256 : 16;
}

/** The last number is the background, one of 16 colours; 7 and those from 9 on are light. */
function background({ COLORFGBG }: Environment): ThemeOptions["background"] {
  const last = COLORFGBG?.split(";").at(-1);
  if (last === undefined || !/^\d+$/.test(last)) return "dark";
  return Number(last) === 7 || Number(last) >= 9 ? "light" : "dark";
}

/** Asks a terminal for its background colour; most answer, as if typed. */
export const askForBackground = "\u001b]11;?\u0007";

/** The meaning of the answer; null when this is no such answer. */
export function answeredBackground(reply: string): ThemeOptions["background"] | null {
  const channels = /\]11;rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)/i.exec(reply)?.slice(1);
  if (channels === undefined) return null;
  const [red = 0, green = 0, blue = 0] = channels.map(
    (digits) => Number.parseInt(digits, 16) / (16 ** digits.length - 1),
  );
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? "light" : "dark";
}
