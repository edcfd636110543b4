/** The look of text after escape sequences. Equal styles are the same object. */
export interface TextStyle {
  readonly classes: string;
  readonly color: string | null;
  readonly background: string | null;
}

interface Attributes {
  readonly bold: boolean;
  readonly faint: boolean;
  readonly italic: boolean;
  readonly underlined: boolean;
  readonly inverse: boolean;
  /** A number of the palette, a CSS colour, or null. */
  readonly front: number | string | null;
  readonly back: number | string | null;
}

const plain: Attributes = {
  ...{ bold: false, faint: false, italic: false, underlined: false, inverse: false },
  ...{ front: null, back: null },
};
const styles = new Map<string, TextStyle>();
const attributes = new WeakMap<TextStyle, Attributes>();

export const plainStyle = styleOf(plain);

/** The style after `CSI numbers m`. */
export function styleAfter(style: TextStyle, numbers: readonly number[]): TextStyle {
  let now = attributes.get(style) ?? plain;
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    if (code === 38 || code === 48) {
      const { color, length } = extended(numbers, at + 1);
      now = code === 38 ? { ...now, front: color } : { ...now, back: color };
      at += length;
    } else now = simple(now, code);
  }
  return styleOf(now);
}

function simple(now: Attributes, code: number): Attributes {
  if (code >= 30 && code <= 37) return { ...now, front: code - 30 };
  if (code >= 90 && code <= 97) return { ...now, front: code - 82 };
  if (code >= 40 && code <= 47) return { ...now, back: code - 40 };
  if (code >= 100 && code <= 107) return { ...now, back: code - 92 };
  switch (code) {
    case 0:
      return plain;
    case 1:
      return { ...now, bold: true };
    case 2:
      return { ...now, faint: true };
    case 3:
      return { ...now, italic: true };
    case 4:
      return { ...now, underlined: true };
    case 7:
      return { ...now, inverse: true };
    case 22:
      return { ...now, bold: false, faint: false };
    case 23:
      return { ...now, italic: false };
    case 24:
      return { ...now, underlined: false };
    case 27:
      return { ...now, inverse: false };
    case 39:
      return { ...now, front: null };
    case 49:
      return { ...now, back: null };
    default:
      return now;
  }
}

/** `5;n` of 256 colours, or `2;r;g;b`. */
function extended(numbers: readonly number[], at: number): { color: Attributes["front"]; length: number } {
  if (numbers[at] === 5) return { color: of256(numbers[at + 1] ?? 0), length: 2 };
  if (numbers[at] === 2) {
    const [red = 0, green = 0, blue = 0] = numbers.slice(at + 1, at + 4).map((part) => part & 255);
    return { color: `rgb(${red} ${green} ${blue})`, length: 4 };
  }
  return { color: null, length: 1 };
}

function of256(number: number): number | string {
  if (number < 16) return number;
  if (number >= 232) {
    const grey = 8 + (Math.min(number, 255) - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const level = (part: number): number => (part === 0 ? 0 : 55 + part * 40);
  const index = number - 16;
  return `rgb(${level(Math.floor(index / 36))} ${level(Math.floor(index / 6) % 6)} ${level(index % 6)})`;
}

function styleOf(now: Attributes): TextStyle {
  const key = JSON.stringify(now);
  const known = styles.get(key);
  if (known !== undefined) return known;
  const [front, back] = now.inverse
    ? [now.back ?? "var(--surface)", now.front ?? "var(--text)"]
    : [now.front, now.back];
  const flags = (["bold", "faint", "italic", "underlined"] as const).filter((flag) => now[flag]);
  const palette = typeof front === "number" ? [`ansi-${front}`] : [];
  const style: TextStyle = {
    classes: [...flags, ...palette].join(" "),
    color: typeof front === "string" ? front : null,
    background: typeof back === "number" ? `var(--ansi-${back})` : back,
  };
  // Of millions of colours, an output can use all.
  if (styles.size > 1000) styles.clear();
  styles.set(key, style);
  attributes.set(style, now);
  return style;
}
