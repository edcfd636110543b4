import { displaysIn, type OutputPart } from "../output-part.ts";

/** Return values of calls that draw: names of parts of the picture. */
const names = [
  /<(?:Figure size|Axes|AxesSubplot|Axes3D|Axes3DSubplot|PolarAxes|GeoAxes)\b[^<>]*>/,
  /<(?:matplotlib|mpl_toolkits|seaborn|cartopy)\.[\w.]+(?: object)? at 0x[0-9a-fA-F]+>/,
  /<\w*Container object of \d+ artists>/,
  /Text\([-+.\w]+, [-+.\w]+, (?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")\)/,
];
const anyName = new RegExp(names.map(({ source }) => source).join("|"), "g");
/** Longer texts are content. */
const longest = 20_000;

/**
 * The output without texts that only name what a picture beside them shows: `<Axes: xlabel='x'>`, a list of lines,
 * `Text(0.5, 1.0, 'squares')`. Without a picture, these are all that there is to read.
 */
export function withoutPlotNames(parts: readonly OutputPart[]): readonly OutputPart[] {
  if (!displaysIn(parts).some((display) => display.parts.some(({ type }) => type === "image"))) return parts;
  return parts.map((part) => (part.type === "display" && onlyNames(part.text) ? { ...part, text: "" } : part));
}

function onlyNames(text: string): boolean {
  if (text.length > longest) return false;
  const rest = text.replace(anyName, "");
  return rest.length < text.length && /^(?:[\s,()[\]]|array|dtype=object)*$/.test(rest);
}
