import { type BackgroundShade, type Palette, paletteFor } from "./palette.ts";

/** Styles a piece of one line. The piece has no line ends, and usually no style of its own. */
export type Style = (text: string) => string;

/** Names what a text is, not how it looks: a host with its own colours (pi) makes its own theme. */
export interface Theme {
  // Code
  readonly keyword: Style;
  readonly string: Style;
  readonly comment: Style;
  readonly number: Style;
  readonly builtin: Style;
  /** The name that a `def` or a `class` defines. */
  readonly definition: Style;
  readonly decorator: Style;
  /** A key of JSON. */
  readonly key: Style;
  // How things went
  readonly error: Style;
  readonly warning: Style;
  readonly success: Style;
  readonly running: Style;
  readonly added: Style;
  readonly removed: Style;
  // Everything around
  readonly title: Style;
  readonly accent: Style;
  readonly muted: Style;
  readonly border: Style;
  // Markdown
  readonly heading: Style;
  readonly strong: Style;
  readonly emphasis: Style;
  readonly struck: Style;
  readonly code: Style;
  readonly link: Style;
}

export type StyleName = keyof Theme;

export interface ThemeOptions {
  /** How many colours there are. 0, also for `NO_COLOR`, means no styles at all. */
  readonly colors: 0 | 16 | 256 | "true";
  readonly background: BackgroundShade;
}

export function themeFor({ colors, background }: ThemeOptions): Theme {
  const palette = paletteFor(colors, background);
  return Object.fromEntries(Object.entries(palette).map(([name, look]) => [name, styleOf(look)])) as unknown as Theme;
}

/** Without any styles: for files, pipes and terminals without colours. */
export const plainTheme: Theme = themeFor({ colors: 0, background: "dark" });

function styleOf({ open, close }: Palette[StyleName]): Style {
  if (open === "") return (text) => text;
  return (text) => (text === "" ? "" : `\u001b[${open}m${text}\u001b[${close}m`);
}
