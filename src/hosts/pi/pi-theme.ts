import type { Style, StyleName, Theme } from "../../view/theme/theme.ts";
import type { PiTheme } from "./pi-api.ts";

/** pi's theme colours for Granary's styles. */
const colours: Readonly<Record<Exclude<StyleName, "strong" | "emphasis" | "struck">, string>> = {
  keyword: "syntaxKeyword",
  string: "syntaxString",
  comment: "syntaxComment",
  number: "syntaxNumber",
  builtin: "syntaxType",
  definition: "syntaxFunction",
  decorator: "syntaxType",
  key: "syntaxVariable",
  error: "error",
  warning: "warning",
  success: "success",
  running: "accent",
  added: "toolDiffAdded",
  removed: "toolDiffRemoved",
  title: "toolTitle",
  accent: "accent",
  muted: "muted",
  border: "borderMuted",
  heading: "mdHeading",
  code: "mdCode",
  link: "mdLink",
};

/** Granary's blocks in the colours of the person's pi theme. */
export function themeOfPi(pi: PiTheme): Theme {
  const painted = Object.entries(colours).map(([name, colour]): [string, Style] => [
    name,
    (text) => pi.fg(colour, text),
  ]);
  const { title } = Object.fromEntries(painted) as Pick<Theme, "title">;
  return {
    ...(Object.fromEntries(painted) as Omit<Theme, "strong" | "emphasis" | "struck">),
    title: (text) => pi.bold(title(text)),
    strong: (text) => pi.bold(text),
    emphasis: (text) => pi.italic(text),
    struck: (text) => pi.strikethrough?.(text) ?? text,
  };
}
