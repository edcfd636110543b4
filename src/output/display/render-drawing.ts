import { isGranaryError } from "../../support/granary-error.ts";
import { decodeFirstFrame } from "../pictures/gif-decode.ts";
import { encodePng } from "../pictures/png-encode.ts";
import { rasteriseSvg } from "../pictures/rasterise-svg.ts";
import type { DisplayPart, RenderedDisplay } from "./display-part.ts";
import { bytesOf, keptBinary, keptBytes, keptText } from "./kept-content.ts";
import { type RenderPictureOptions, renderPicture } from "./render-picture.ts";

/** An SVG drawing as a picture, with the drawing itself; or one line with the reason for none. */
export async function renderSvg(svg: string, alt: string, options: RenderPictureOptions): Promise<RenderedDisplay> {
  const kept = (detail = ""): DisplayPart => keptText("image/svg+xml", "SVG drawing", svg, detail);
  return orReason(
    async () => {
      const { png, lacksText } = await rasteriseSvg(svg, options.signal);
      const note = lacksText ? "shown without its text: no font was found" : "";
      return withOriginal(png, alt, kept(note), options);
    },
    (reason) => kept(`not shown: ${reason}`),
  );
}

/** The first frame of a GIF as a picture, with the GIF itself; or one line with the reason for none. */
export async function renderGif(base64: string, alt: string, options: RenderPictureOptions): Promise<RenderedDisplay> {
  const bytes = bytesOf(base64);
  const { label } = keptBinary("image/gif", base64);
  return orReason(
    async () => {
      const frame = decodeFirstFrame(bytes, mostPixels);
      const { width, height } = frame;
      const original = keptBytes("image/gif", `image/gif ${width}x${height}`, bytes, "its first frame is shown");
      return withOriginal(await encodePng(frame), alt, original, options);
    },
    (reason) => ({ ...keptBinary("image/gif", base64), label: `${label}, not shown: ${reason}` }),
  );
}

/** Decoded in JavaScript. */
const mostPixels = 10_000_000;

/** The original takes the place of the picture that was made of it. */
async function withOriginal(
  png: Buffer,
  alt: string,
  original: DisplayPart,
  options: RenderPictureOptions,
): Promise<RenderedDisplay> {
  const { text, parts } = await renderPicture("image/png", png.toString("base64"), alt, options);
  return { text, parts: [...parts.filter(({ type }) => type === "image"), original] };
}

async function orReason(
  render: () => Promise<RenderedDisplay>,
  kept: (reason: string) => DisplayPart,
): Promise<RenderedDisplay> {
  try {
    return await render();
  } catch (error) {
    const isKnown = isGranaryError(error, "broken-picture") || isGranaryError(error, "picture-too-large");
    if (!isKnown) throw error;
    return { text: "", parts: [kept(error.message)] };
  }
}
