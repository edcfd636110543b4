import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { GranaryError } from "../../support/granary-error.ts";
import { pictureLimits } from "./fit-picture.ts";
import { packageFolders } from "./package-folders.ts";

export interface RasterisedSvg {
  readonly png: Buffer;
  /** Whether the drawing has text, and this machine no font for it. */
  readonly lacksText: boolean;
}

/** More would take seconds. */
const mostCharacters = 5_000_000;
const limitMs = 10_000;

/**
 * Draws an SVG with resvg, which runs no scripts and loads nothing. A separate thread has a time limit and its own
 * memory, because a few lines of SVG can take hours and gigabytes. Throws `broken-picture`, or `picture-too-large` for a
 * drawing that takes too long.
 */
export async function rasteriseSvg(svg: string, signal?: AbortSignal): Promise<RasterisedSvg> {
  if (svg.length > mostCharacters) throw tooLarge("the drawing is too large");
  const fonts = fontFiles();
  const worker = new Worker(drawing, {
    eval: true,
    workerData: { svg, fonts, ...resvgFiles(), longestSide: pictureLimits.longestSide },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    stdout: true,
    stderr: true,
  });
  const stop = () => void worker.terminate();
  const timer = setTimeout(stop, limitMs);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const png = await new Promise<Uint8Array>((resolve, reject) => {
      worker.once("message", ({ png, problem }) =>
        problem === undefined ? resolve(png) : reject(new GranaryError("broken-picture", problem)),
      );
      worker.once("error", (error) => reject(new GranaryError("broken-picture", error.message)));
      worker.once("exit", () => reject(tooLarge(`it took longer than ${limitMs / 1000} s to draw`)));
    });
    return { png: Buffer.from(png), lacksText: fonts.length === 0 && /<(?:\w+:)?text[\s>]/.test(svg) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    await worker.terminate();
    signal?.throwIfAborted();
  }
}

function tooLarge(problem: string): GranaryError {
  return new GranaryError("picture-too-large", problem);
}

/**
 * An optional dependency. Node would look for one that is missing in every folder above as well, where code of the project could
 * put another package of that name.
 */
function resvgFiles(): { readonly resvg: string; readonly wasm: string } {
  const folder = packageFolders()
    .map((path) => join(path, "@resvg/resvg-wasm"))
    .find((path) => existsSync(path));
  if (folder === undefined) {
    throw new GranaryError("broken-picture", "the npm package @resvg/resvg-wasm is not installed");
  }
  return { resvg: createRequire(import.meta.url).resolve(folder), wasm: join(folder, "index_bg.wasm") };
}

/** WebAssembly sees no fonts of the system. One is enough: every family falls back to it. */
function fontFiles(): readonly string[] {
  const found = usualFonts.find((file) => existsSync(file));
  return found === undefined ? [] : [found];
}

const usualFonts = [
  "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
  "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
  "/usr/share/fonts/TTF/DejaVuSans.ttf",
  "/usr/share/fonts/dejavu/DejaVuSans.ttf",
  "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
  "/usr/share/fonts/liberation-sans/LiberationSans-Regular.ttf",
  "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
  "/usr/share/fonts/noto/NotoSans-Regular.ttf",
  "/System/Library/Fonts/Supplemental/Arial.ttf",
  "/Library/Fonts/Arial.ttf",
  "C:\\Windows\\Fonts\\arial.ttf",
];

/** As text, since a bundle has no file of its own for it. The white background is what a page has. */
const drawing = `
const { parentPort, workerData } = require("node:worker_threads");
const { readFileSync } = require("node:fs");
const { svg, fonts, resvg, wasm, longestSide } = workerData;
const { Resvg, initWasm } = require(resvg);
initWasm(readFileSync(wasm)).then(() => {
  const options = { font: { fontBuffers: fonts.map((file) => readFileSync(file)) }, background: "white" };
  const { width, height } = new Resvg(svg, options);
  const mode = width >= height ? "width" : "height";
  const isLarge = Math.max(width, height) > longestSide;
  const picture = new Resvg(svg, { ...options, ...(isLarge && { fitTo: { mode, value: longestSide } }) }).render();
  parentPort.postMessage({ png: picture.asPng() });
}).catch((error) => parentPort.postMessage({ problem: String(error.message ?? error) }));
`;
