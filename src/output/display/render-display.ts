import type { LargeContent, LargeContents, MimeBundle } from "../../kernel/events.ts";
import { isTooCostlyText } from "../../support/json/costly-json.ts";
import { isTooDeep, jsonText } from "../../support/json/deep-json.ts";
import type { JsonValue } from "../../support/json/value.ts";
import type { HtmlLimits } from "../html/html-to-markdown.ts";
import type { PictureLimits } from "../pictures/fit-picture.ts";
import { chartSummary, waysToPicture } from "./chart-summary.ts";
import {
  type DisplayPart,
  isStatusType,
  type KeptPart,
  type RenderedDisplay,
  statusEvent,
  type TextBeginning,
} from "./display-part.ts";
import { type JsonLimits, jsonTree } from "./json-tree.ts";
import { isBinary, keptBinary, keptJson, keptLarge, keptText } from "./kept-content.ts";

export interface RenderOptions {
  readonly html?: HtmlLimits;
  readonly json?: JsonLimits;
  readonly pictures?: PictureLimits;
  /** Values that are not in the bundle because of their size or depth. */
  readonly large?: LargeContents | undefined;
  /** Sentences that the reader of this display has read already; a sentence of this display is added. */
  readonly told?: Set<string>;
  /** Aborting rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Turns a MIME bundle into text, pictures and values. The text reports broken content; only the signal
 * makes this throw. The code for HTML and pictures is loaded on first use.
 */
export async function renderDisplay(
  data: MimeBundle,
  metadata: MimeBundle = {},
  options: RenderOptions = {},
): Promise<RenderedDisplay> {
  options.signal?.throwIfAborted();
  const large = Object.entries(options.large ?? {}).map(([mimeType, content]) => largePart(mimeType, content));
  try {
    return joined([await renderBundle(data, metadata, options), { text: "", parts: large }]);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return { text: `[This display could not be rendered: ${(error as Error).message}]`, parts: [] };
  }
}

/** Describes content that was not read. */
function largePart(mimeType: string, content: LargeContent): KeptPart {
  return keptLarge(mimeType, nameOf(mimeType), content, mimeType === "text/plain" ? "shown in part" : "not shown");
}

async function renderBundle(data: MimeBundle, metadata: MimeBundle, options: RenderOptions): Promise<RenderedDisplay> {
  const status = statusEvent(data);
  const isNoStatus = typeof status === "string";
  if (status !== null && !isNoStatus) return { text: "", parts: [{ type: "status", event: status }] };

  const library = scriptsOf(data);
  if (library === "HoloViews") return holoviews(data);
  if (library === "Bokeh") return bokeh(data, options.told);

  const html = textOf(data["text/html"]);
  if (html !== "" && (await import("./browser-page.ts")).onlyLoads(html)) return nothing;

  const others: RenderedDisplay[] = [readableText(isNoStatus ? `[${status}]` : "")];
  const hasPicture = data["image/png"] !== undefined || data["image/jpeg"] !== undefined;
  for (const [mimeType, value] of Object.entries(data)) {
    if (readable.includes(mimeType) || isStatusType(mimeType)) continue;
    const drawn = hasPicture ? null : await renderDrawing(mimeType, value, metadata, options);
    others.push(drawn ?? (await renderOther(mimeType, value, metadata, options)));
  }
  const isShown = others.some(({ parts }) => parts.some(({ type }) => type === "image"));
  // `<IPython.core.display.SVG object>` says nothing beside the picture.
  const name = textOf(data["text/plain"]);
  const isNamed = isShown && ((!hasPicture && namesOnlyItsClass(name)) || /^alt\.\w+\(\.\.\.\)$/.test(name));
  const isChart = Object.entries(data).some(([type, value]) => isVendors(type) && chartSummary(type, value) !== null);
  const { "text/plain": plain, ...unnamed } = data;
  const advice = isShown ? nothing : picturesOf(Object.keys(data), options.told);
  // The line about the chart's data says the same.
  const isSummary = isChart && name.startsWith("plotly Figure: ");
  const text = await renderText(isNamed || isSummary ? unnamed : data, isChart, options);
  const isSaid = isWrapper(text.text) && others.some((other) => other.text !== "" || other.parts.length > 0);
  return joined([isSaid ? nothing : text, ...others, advice]);
}

/** One sentence for a reader that could see a picture of this chart, but gets none. */
function picturesOf(mimeTypes: readonly string[], told = new Set<string>()): RenderedDisplay {
  const sentence =
    mimeTypes
      .filter(isVendors)
      .map(waysToPicture)
      .find((each) => each !== null) ?? "";
  if (sentence === "" || told.has(sentence)) return nothing;
  told.add(sentence);
  return readableText(sentence);
}

/** Formats that models do not accept, as a picture; null for all others. */
async function renderDrawing(
  mimeType: string,
  value: JsonValue,
  metadata: MimeBundle,
  options: RenderOptions,
): Promise<RenderedDisplay | null> {
  const source = textOf(value);
  if ((mimeType !== "image/svg+xml" && mimeType !== "image/gif") || source === "") return null;
  const { renderGif, renderSvg } = await import("./render-drawing.ts");
  const render = mimeType === "image/gif" ? renderGif : renderSvg;
  return render(source, altOf(metadata[mimeType]), options);
}

/** Scripts for a browser, and with a plot its dimensions: `:Curve [x] (y)`. */
function holoviews(data: MimeBundle): RenderedDisplay {
  const plain = textOf(data["text/plain"]).trim();
  if (plain === "") return nothing;
  const html = textOf(data["text/html"]);
  if (html === "") return { text: `HoloViews plot, which needs a browser\n${plain}`, parts: [] };
  return { text: plain, parts: [keptText("text/html", "HoloViews plot", html, "needs a browser")] };
}

/** A page to embed the plot in, a script that draws it, and an empty type; or only a script that loads the library. */
function bokeh(data: MimeBundle, told: RenderOptions["told"]): RenderedDisplay {
  const isPlot = Object.keys(data).some((type) => /^application\/vnd\.bokehjs_exec\./.test(type));
  if (!isPlot) return nothing;
  const script = textOf(data["application/javascript"]) || textOf(data["text/html"]);
  const plot = { text: "", parts: [keptText("application/javascript", "Bokeh plot", script, "needs a browser")] };
  return joined([plot, picturesOf(Object.keys(data), told)]);
}

/** The library whose scripts draw this display in a browser; null for any other display. */
function scriptsOf(data: MimeBundle): "Bokeh" | "HoloViews" | null {
  const named = Object.keys(data).map(
    (type) => /^application\/vnd\.(holoviews|bokehjs)_(?:load|exec)\./.exec(type)?.[1],
  );
  if (named.includes("holoviews")) return "HoloViews";
  const hasPicture = data["image/png"] !== undefined;
  return named.includes("bokehjs") && !hasPicture ? "Bokeh" : null;
}

/** As the types of charts and widgets are. */
const isVendors = (mimeType: string): boolean => mimeType.startsWith("application/vnd.");

/** The first of these types is the display's text. */
const readable = ["text/markdown", "text/plain", "text/html", "text/latex", "application/json"];

const widgetType = "application/vnd.jupyter.widget-view+json";

const nothing: RenderedDisplay = { text: "", parts: [] };

async function renderText(data: MimeBundle, isChart: boolean, options: RenderOptions): Promise<RenderedDisplay> {
  const markdown = textOf(data["text/markdown"]);
  const plain = textOf(data["text/plain"]);
  const json = renderJson(data["application/json"], options.json);
  if (markdown !== "") return joined([readableText(markdown, "markdown"), json.beside]);
  if (plain !== "" && !namesOnlyItsClass(plain) && !isForDebugging(plain))
    return joined([plainText(plain), json.beside]);

  const html = await renderHtml(textOf(data["text/html"]), isChart, options);
  if (html.text !== "" || html.parts.length > 0) return joined([html, json.beside]);
  const last = [
    readableText(textOf(data["text/latex"])),
    readableText(json.tree, "tree"),
    plainText(plain),
    readableText(data[widgetType] ? "[Jupyter widget, which needs a browser]" : ""),
  ];
  return joined([last.find(({ text }) => text !== "") ?? nothing, json.beside]);
}

function readableText(text: string, as?: TextBeginning["as"]): RenderedDisplay {
  return as === undefined ? { text, parts: [] } : { text, parts: [], begins: { as, length: text.length } };
}

/** `<Figure size 640x480 with 1 Axes>` */
function plainText(plain: string): RenderedDisplay {
  return readableText(plain, /^<.*>$/.test(plain.trimEnd()) ? "name" : undefined);
}

/** `<IPython.core.display.HTML object>` is a text, but the HTML says more. */
function namesOnlyItsClass(plain: string): boolean {
  return /^<[\w.]+(?: object)?(?: at 0x[0-9a-f]+)?>$/i.test(plain.trim());
}

/** The repr of an object with all of its parts: `GT(_tbl_data=…, _body=<great_tables._gt_data.Body object at 0x7f3a>, …)`. */
function isForDebugging(plain: string): boolean {
  return / object at 0x[0-9a-f]/i.test(plain) && /^[\w.]+\(/.test(plain) && plain.trimEnd().endsWith(")");
}

/** `<IPython.core.display.SVG object>` says nothing beside the drawing. */
function isWrapper(plain: string): boolean {
  return /^<IPython\.[\w.]+ object>$/.test(plain.trim());
}

async function renderHtml(html: string, isChart: boolean, options: RenderOptions): Promise<RenderedDisplay> {
  if (html.trim() === "") return nothing;
  const { browserPage } = await import("./browser-page.ts");
  const page = browserPage(html);
  if (page !== null) return page;
  const { htmlToMarkdownInTurns } = await import("../html/html-to-markdown.ts");
  const { markdown, complete } = await htmlToMarkdownInTurns(html, options.html);
  if (complete) return { text: markdown, parts: [] };
  // The chart's data says more than the scripts that draw it.
  if (markdown === "" && isChart) return nothing;
  const { whatScriptsDraw } = await import("../html/what-scripts-draw.ts");
  const detail = markdown === "" ? `script only${whatScriptsDraw(html)}` : "shown in part";
  return { text: markdown, parts: [keptText("text/html", "HTML", html, detail)] };
}

async function renderOther(
  mimeType: string,
  value: JsonValue,
  metadata: MimeBundle,
  options: RenderOptions,
): Promise<RenderedDisplay> {
  if (mimeType === "image/png" || mimeType === "image/jpeg") {
    const { renderPicture } = await import("./render-picture.ts");
    return renderPicture(mimeType, textOf(value), altOf(metadata[mimeType]), options);
  }
  const chart = isVendors(mimeType) ? chartSummary(mimeType, value) : null;
  if (chart !== null) return { text: "", parts: [keptJson(mimeType, chart, value)] };
  // A widget lives in a browser; the bundle has only its number.
  if (mimeType === widgetType) return nothing;
  if (typeof value !== "string") return { text: "", parts: [keptJson(mimeType, mimeType, value)] };
  return {
    text: "",
    parts: [isBinary(mimeType) ? keptBinary(mimeType, value) : keptText(mimeType, nameOf(mimeType), value)],
  };
}

function nameOf(mimeType: string): string {
  const names: Record<string, string> = {
    "text/plain": "text",
    "text/html": "HTML",
    "application/json": "JSON",
    "image/svg+xml": "SVG drawing",
    "application/javascript": "JavaScript",
  };
  return names[mimeType] ?? mimeType;
}

function altOf(metadata: JsonValue | undefined): string {
  const { alt } = (typeof metadata === "object" && metadata !== null ? metadata : {}) as { alt?: unknown };
  return typeof alt === "string" ? alt : "";
}

/** Notebook files, and some kernels, split long text into lines. */
function textOf(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((line) => typeof line === "string") ? value.join("") : "";
}

function joined(displays: readonly RenderedDisplay[]): RenderedDisplay {
  const texts = displays.map(({ text }) => text.trimEnd());
  const text = texts.filter((each) => each !== "").join("\n");
  const parts = displays.flatMap((display) => display.parts);
  const as = displays[0]?.begins?.as;
  return as === undefined ? { text, parts } : { text, parts, begins: { as, length: texts[0]?.length ?? 0 } };
}

interface RenderedJson {
  /** For where nothing else can be read. */
  readonly tree: string;
  /** Shown in any case. */
  readonly beside: RenderedDisplay;
}

const tooDeep = "nested too deeply to be a value";

/** Undefined is not JSON; broken JSON is reported, also beside other content. */
function renderJson(source: JsonValue | undefined, limits?: JsonLimits): RenderedJson {
  if (source === undefined) return { tree: "", beside: { text: "", parts: [] } };
  const value = parsedJson(source);
  if (value === undefined) {
    return { tree: "", beside: { text: "[application/json is broken: it does not parse]", parts: [] } };
  }
  const { text, complete } = jsonTree(value, limits);
  return { tree: text, beside: { text: "", parts: [...partsOf(source, value, complete)] } };
}

function partsOf(source: JsonValue, value: JsonValue, isAllThere: boolean): readonly DisplayPart[] {
  if (isTooDeep(value)) {
    const asItCame = typeof source === "string" ? source : jsonText(source);
    return [keptText("application/json", "JSON", asItCame, tooDeep)];
  }
  const json: DisplayPart = { type: "json", value };
  return isAllThere ? [json] : [json, keptJson("application/json", "JSON", value)];
}

/** A string may be a value, or JSON inside a string; undefined for broken or too costly JSON inside a string. */
function parsedJson(source: JsonValue): JsonValue | undefined {
  if (typeof source !== "string" || !/^\s*[[{]/.test(source)) return source;
  if (isTooCostlyText(source)) return undefined;
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}
