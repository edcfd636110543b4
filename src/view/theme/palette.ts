import type { StyleName, ThemeOptions } from "./theme.ts";

export type BackgroundShade = "dark" | "light";

/** The numbers that switch a style on and off (SGR); "" is no style. */
interface Look {
  readonly open: string;
  readonly close: string;
}

export type Palette = Readonly<Record<StyleName, Look>>;

export function paletteFor(colors: ThemeOptions["colors"], background: BackgroundShade): Palette {
  const looks = Object.entries(styles).map(([name, style]) => [name, colors === 0 ? noLook : look(style)]);
  return Object.fromEntries(looks) as Palette;

  function look({ ink, bold = false, italic = false, underlined = false, struck = false }: StyleRow): Look {
    const attributes = [
      bold ? ["1", "22"] : [],
      italic ? ["3", "23"] : [],
      underlined ? ["4", "24"] : [],
      struck ? ["9", "29"] : [],
      ink === undefined ? [] : [foreground(inks[ink][background], colors), "39"],
    ].filter((pair) => pair.length > 0);
    const [open, close] = [attributes.map(([on]) => on).join(";"), attributes.map(([, off]) => off).join(";")];
    return { open, close };
  }
}

const noLook: Look = { open: "", close: "" };

interface StyleRow {
  readonly ink?: InkName;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underlined?: boolean;
  readonly struck?: boolean;
}

type InkName = "violet" | "green" | "blue" | "cyan" | "orange" | "red" | "yellow" | "grey" | "faint";

const styles: Readonly<Record<StyleName, StyleRow>> = {
  keyword: { ink: "violet" },
  string: { ink: "green" },
  comment: { ink: "grey", italic: true },
  number: { ink: "orange" },
  builtin: { ink: "cyan" },
  definition: { ink: "blue" },
  decorator: { ink: "yellow" },
  key: { ink: "blue" },
  error: { ink: "red" },
  warning: { ink: "yellow" },
  success: { ink: "green" },
  running: { ink: "cyan" },
  added: { ink: "green" },
  removed: { ink: "red" },
  title: { bold: true },
  accent: { ink: "blue", bold: true },
  muted: { ink: "grey" },
  border: { ink: "faint" },
  heading: { ink: "blue", bold: true },
  strong: { bold: true },
  emphasis: { italic: true },
  struck: { struck: true },
  code: { ink: "cyan" },
  link: { ink: "blue", underlined: true },
};

interface Ink {
  /** One of the sixteen colours, by its SGR number. */
  readonly sixteen: number;
  readonly palette: number;
  readonly rgb: readonly [red: number, green: number, blue: number];
}

/**
 * Each has a contrast of at least 4.5 : 1 to its background; `faint` is for lines around things, which need less. Of the
 * sixteen, terminals choose the colours themselves: bright black is the only grey.
 */
const inks: Readonly<Record<InkName, Readonly<Record<BackgroundShade, Ink>>>> = {
  violet: {
    dark: { sixteen: 95, palette: 176, rgb: [0xc6, 0x92, 0xe9] },
    light: { sixteen: 35, palette: 91, rgb: [0x7c, 0x2f, 0xb0] },
  },
  green: {
    dark: { sixteen: 92, palette: 114, rgb: [0x98, 0xc3, 0x79] },
    light: { sixteen: 32, palette: 28, rgb: [0x2c, 0x6e, 0x1f] },
  },
  blue: {
    dark: { sixteen: 94, palette: 75, rgb: [0x6c, 0xb6, 0xff] },
    light: { sixteen: 34, palette: 25, rgb: [0x0b, 0x57, 0xb0] },
  },
  cyan: {
    dark: { sixteen: 96, palette: 80, rgb: [0x56, 0xc8, 0xd8] },
    light: { sixteen: 36, palette: 23, rgb: [0x0b, 0x66, 0x70] },
  },
  orange: {
    dark: { sixteen: 33, palette: 215, rgb: [0xe5, 0xa8, 0x6a] },
    light: { sixteen: 33, palette: 94, rgb: [0x94, 0x4c, 0x06] },
  },
  red: {
    dark: { sixteen: 91, palette: 203, rgb: [0xff, 0x7b, 0x72] },
    light: { sixteen: 31, palette: 160, rgb: [0xb3, 0x1d, 0x1d] },
  },
  yellow: {
    dark: { sixteen: 93, palette: 221, rgb: [0xe8, 0xc9, 0x5b] },
    light: { sixteen: 33, palette: 94, rgb: [0x7a, 0x5a, 0x00] },
  },
  grey: {
    dark: { sixteen: 90, palette: 245, rgb: [0x8b, 0x94, 0x9e] },
    light: { sixteen: 90, palette: 242, rgb: [0x5c, 0x64, 0x6d] },
  },
  faint: {
    dark: { sixteen: 90, palette: 240, rgb: [0x5a, 0x63, 0x6e] },
    light: { sixteen: 90, palette: 249, rgb: [0xb0, 0xb7, 0xbf] },
  },
};

function foreground({ sixteen, palette, rgb }: Ink, colors: ThemeOptions["colors"]): string {
  if (colors === "true") return `38;2;${rgb.join(";")}`;
  return colors === 256 ? `38;5;${palette}` : String(sixteen);
}
