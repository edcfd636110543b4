import type { RenderedDisplay } from "./display-part.ts";
import { bytesOf, keptBytes, keptText } from "./kept-content.ts";

/** Pages whose text only tells a browser's user what to do, by a word in them. */
const pages: readonly (readonly [word: RegExp, name: string])[] = [
  [/make this notebook trusted/i, "page"],
  [/class="animation"[\s\S]*\bnew Animation\(/, "animation (matplotlib)"],
  [/\bid="itables_|\bitables\b[^<]*(?:need help|loading)|loading itables/i, "interactive table (itables)"],
];

/** Pages that only load the scripts of a library: logos, and advice for a browser that does not run them. */
const loaders = [
  /\binit_notebook_mode<\/code> cell from/,
  /\bLoading BokehJS\b/,
  /class="logo-block"/,
  /^<script type="esms-options">/,
];

/** Pages that an `<iframe>` shows. */
const maps: readonly (readonly [word: RegExp, name: string])[] = [
  [/leaflet/i, "Leaflet map (folium)"],
  [/plotly/i, "Plotly figure"],
];

const player = /^\s*(?:<div[^>]*>\s*)?<(audio|video)\b/i;
const source = /\bsrc\s*=\s*["']([^"']*)["']/i;

/** Whether HTML only loads a library, and shows nothing of the code that runs. */
export function onlyLoads(html: string): boolean {
  return loaders.some((word) => word.test(html));
}

/** HTML that only a browser makes something of, in one line; null for HTML with a text to read. */
export function browserPage(html: string): RenderedDisplay | null {
  const media = player.exec(html)?.[1]?.toLowerCase();
  if (media !== undefined) return mediaPlayer(media === "audio" ? "sound" : "film", source.exec(html)?.[1] ?? "", html);
  const name = pages.find(([word]) => word.test(html))?.[1];
  if (name === undefined) return null;
  const shown = name === "page" ? (maps.find(([word]) => word.test(html))?.[1] ?? "interactive page") : name;
  return { text: "", parts: [keptText("text/html", shown, html, "needs a browser")] };
}

function mediaPlayer(kind: "sound" | "film", address: string, html: string): RenderedDisplay {
  const [, mimeType] = /^data:((?:audio|video)\/[\w.+-]+)[;,]/i.exec(address) ?? [];
  if (mimeType !== undefined) {
    return { text: "", parts: [keptBytes(mimeType, `${kind} (${mimeType})`, bytesOf(address), "not shown")] };
  }
  if (address !== "") return { text: `[${kind}: ${address}]`, parts: [] };
  return { text: "", parts: [keptText("text/html", `${kind} player`, html, "needs a browser")] };
}
