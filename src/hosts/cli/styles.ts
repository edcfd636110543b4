import type { Surroundings } from "./surroundings.ts";

export interface Styles {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  warn(text: string): string;
  bad(text: string): string;
}

/** Colours on a terminal that wants them; elsewhere the text as it is. */
export function stylesFor({ env, isTerminal }: Surroundings): Styles {
  const isColourful = isTerminal("stdout") && !env.NO_COLOR && env.TERM !== "dumb";
  const style = (code: number) => (text: string) => (isColourful ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: style(1), dim: style(2), good: style(32), warn: style(33), bad: style(31) };
}
