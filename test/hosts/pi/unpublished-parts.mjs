/**
 * Lets pi 1.x start on the newest published versions of its own parts (see test/environment/node/pi-1): loaded into pi's
 * process first, this adds the functions that those versions lack. They concern colours, telemetry and
 * logins; the tested parts (extensions, tools, conversation, rendering of results) are pi's own.
 */

import * as nodeModule from "node:module";

/**
 * Of Node 22.15 and newer, where the types are those of Node 20.
 *
 * @typedef {(url: string, context: object) => { source: unknown }} Load
 * @type {(hooks: { load: (url: string, context: object, nextLoad: Load) => object }) => void}
 */
const registerHooks = Reflect.get(nodeModule, "registerHooks");

/** The names to add, by module. */
const additions = {
  "pi-tui/dist/index.js": [
    ...[
      "rgbColor",
      "indexedColor",
      "parseColor",
      "mixColors",
      "colorToRgb",
      "colorToHex",
      "colorToOklch",
      "colorToOkhsl",
    ],
    ...["okhslColor", "oklchColor", "oklabToOkhslLightness", "foregroundAnsi", "backgroundAnsi", "styleTextWithAnsi"],
    ...["getTerminalColorMode", "isAppleTerminalSession", "setImageTranscoder"],
  ],
  "pi-telemetry/dist/index.js": ["NOOP_TELEMETRY_METRICS", "createTypedMetrics"],
  "pi-codemode/dist/declarations.js": ["renderToolOutputType"],
  "pi-mcp/dist/oauth/index.js": ["stepUpScope"],
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const addition = Object.entries(additions).find(([module]) => url.endsWith(`/@earendil-works/${module}`));
    if (addition === undefined) return loaded;
    const [module, names] = addition;
    const here = JSON.stringify(import.meta.url);
    const lines = [String(loaded.source), `export { ${names.join(", ")} } from ${here};`];
    if (module.startsWith("pi-tui/")) {
      lines.push(`import { addMethods } from ${here};`, 'import * as itself from "./index.js";', "addMethods(itself);");
    }
    return { ...loaded, source: lines.join("\n") };
  },
});

/** @typedef {{ r: number, g: number, b: number }} Colour */

/** @type {(r: number, g: number, b: number) => Colour} */
export const rgbColor = (r, g, b) => ({ r: Math.round(r), g: Math.round(g), b: Math.round(b) });
/** @type {(lightness: number) => Colour} */
const grey = (lightness) => rgbColor(lightness * 255, lightness * 255, lightness * 255);
/** @type {(index: number) => Colour} */
export const indexedColor = (index) => grey(index / 255);
/** @type {(text: string) => Colour} */
export const parseColor = (text) => {
  const digits = /^#(..)(..)(..)$/.exec(text);
  if (digits === null) return grey(0.5);
  const [, r, g, b] = digits.map((pair) => Number.parseInt(pair, 16));
  return rgbColor(r ?? 0, g ?? 0, b ?? 0);
};
/** @type {(colour: Colour) => Colour} */
export const mixColors = (colour) => colour;
/** @type {(colour: Colour) => Colour} */
export const colorToRgb = (colour) => colour;
/** @type {(colour: Colour) => string} */
export const colorToHex = ({ r, g, b }) => `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
/** @type {(colour: Colour) => number} */
const lightnessOf = ({ r, g, b }) => (r + g + b) / (3 * 255);
/** @param {Colour} colour */
export const colorToOklch = (colour) => ({ l: lightnessOf(colour), c: 0, h: 0 });
/** @param {Colour} colour */
export const colorToOkhsl = (colour) => ({ h: 0, s: 0, l: lightnessOf(colour) });
/** @type {(hue: number, saturation: number, lightness: number) => Colour} */
export const okhslColor = (_hue, _saturation, lightness) => grey(lightness);
/** @type {(lightness: number) => Colour} */
export const oklchColor = (lightness) => grey(lightness);
/** @type {(lightness: number) => number} */
export const oklabToOkhslLightness = (lightness) => lightness;

/** @type {(colour: Colour) => string} */
export const foregroundAnsi = ({ r, g, b }) => `\x1b[38;2;${r};${g};${b}m`;
/** @type {(colour: Colour) => string} */
export const backgroundAnsi = ({ r, g, b }) => `\x1b[48;2;${r};${g};${b}m`;
/** @type {(text: string, foreground?: string, background?: string) => string} */
export const styleTextWithAnsi = (text, foreground = "", background = "") =>
  `${foreground}${background}${text}\x1b[39m\x1b[49m`;
export const getTerminalColorMode = () => "truecolor";
export const isAppleTerminalSession = () => false;
export const setImageTranscoder = () => undefined;

export const NOOP_TELEMETRY_METRICS = {};
const instrument = { add: () => undefined, record: () => undefined };
export const createTypedMetrics = () => ({ counter: () => instrument, histogram: () => instrument });

export const renderToolOutputType = () => "unknown";
export const stepUpScope = () => undefined;

/** @param {Record<"ProcessTerminal" | "TuiMainScreen" | "TuiAltScreen" | "Box" | "Text", { prototype: object }>} tui */
export function addMethods({ ProcessTerminal, TuiMainScreen, TuiAltScreen, Box, Text }) {
  const nothing = () => undefined;
  Object.assign(ProcessTerminal.prototype, { setProgramStatus: nothing });
  for (const { prototype } of [TuiMainScreen, TuiAltScreen]) {
    Object.assign(prototype, { setWheelScrollLines: nothing, resetTextSelection: nothing });
  }
  for (const { prototype } of [Box, Text]) {
    Object.assign(prototype, {
      /** @this {{ paddingX: number }} */
      setPaddingX(/** @type {number} */ columns) {
        this.paddingX = columns;
      },
    });
  }
}
