import type { JsonValue } from "../../support/json/value.ts";
import { sayCount } from "../../support/say-count.ts";

/**
 * Summarizes a chart for browsers in one line: `Plotly figure: 2 traces (scatter, bar), title "Sales"`. Null for any
 * other MIME type.
 */
export function chartSummary(mimeType: string, value: JsonValue): string | null {
  if (/^application\/vnd\.plotly\.v\d+\+json$/.test(mimeType)) return plotly(object(value));
  const vega = /^application\/vnd\.(vega(?:lite)?)\.v(\d+)(?:\.\d+)*[+.]json$/.exec(mimeType);
  if (vega) return vega[1] === "vega" ? `Vega chart${title(object(value).title)}` : vegaLite(object(value));
  if (/^application\/vnd\.bokehjs_exec\.v\d+\+json$/.test(mimeType)) return "Bokeh plot";
  return null;
}

/** How to get a picture of such a chart, when the display has none; null for any other MIME type. */
export function waysToPicture(mimeType: string): string | null {
  if (/^application\/vnd\.plotly\./.test(mimeType)) {
    return 'For a picture: %pip install kaleido, then fig.show("png"), which starts Chrome.';
  }
  if (/^application\/vnd\.vega(?:lite)?\./.test(mimeType)) {
    return 'For a picture: %pip install vl-convert-python, then alt.renderers.enable("png").';
  }
  if (/^application\/vnd\.bokehjs_exec\./.test(mimeType)) {
    return "For a picture: %pip install selenium, then bokeh.io.export_png(plot), which starts a browser.";
  }
  return null;
}

type JsonObject = { readonly [key: string]: JsonValue };

function plotly(figure: JsonObject): string {
  const traces = list(figure.data).map((trace) => text(object(trace).type) || "scatter");
  const layout = object(figure.layout);
  const counted = sayCount(traces.length, "trace") + among(traces);
  const axes = ["xaxis", "yaxis"].map((axis) => named(axis.slice(0, 1), object(layout[axis]).title));
  return `Plotly figure: ${counted}${title(layout.title)}${axes.join("")}`;
}

function vegaLite(chart: JsonObject): string {
  const views = flattened(chart);
  const marks = views.map((view) => text(view.mark) || text(object(view.mark).type)).filter((mark) => mark !== "");
  const encodings = views.flatMap((view) => Object.entries(object(view.encoding)));
  const channels = encodings.map(([channel, encoding]) => {
    const { field, aggregate } = object(encoding);
    const source = text(aggregate) === "" ? text(field) : `${text(aggregate)}(${text(field)})`;
    return source === "" ? "" : `${channel}: ${clipped(source)}`;
  });
  const shown = [...new Set(channels.filter((channel) => channel !== ""))].slice(0, 6);
  const details = [marks.length === 0 ? "" : distinct(marks), ...shown, rows(chart)].filter((part) => part !== "");
  return `Vega-Lite chart${details.length === 0 ? "" : `: ${details.join(", ")}`}${title(chart.title)}`;
}

/** Charts contain charts; their depth does not matter for a summary. */
function flattened(chart: JsonObject): JsonObject[] {
  const views: JsonObject[] = [chart];
  for (let at = 0; at < views.length && views.length < 100; at++) {
    const view = views[at] as JsonObject;
    for (const parts of [view.layer, view.hconcat, view.vconcat, view.concat]) views.push(...list(parts).map(object));
    if (view.spec) views.push(object(view.spec));
  }
  return views;
}

function rows(chart: JsonObject): string {
  const sets = [object(chart.data).values, ...Object.values(object(chart.datasets))].map(
    (values) => list(values).length,
  );
  const count = sets.reduce((sum, length) => sum + length, 0);
  return count === 0 ? "" : sayCount(count, "row");
}

/** A title is a text, or an object with a text. */
function title(value: JsonValue | undefined): string {
  return named("title", value);
}

function named(name: string, value: JsonValue | undefined): string {
  const words = text(value) || text(object(value).text);
  return words === "" ? "" : `, ${name} ${JSON.stringify(clipped(words))}`;
}

function among(kinds: readonly string[]): string {
  return kinds.length === 0 ? "" : ` (${distinct(kinds)})`;
}

function distinct(kinds: readonly string[]): string {
  const names = [...new Set(kinds)];
  return names.slice(0, 5).map(clipped).join(", ") + (names.length > 5 ? ", …" : "");
}

function clipped(words: string): string {
  const line = words.replace(/\s+/g, " ").trim();
  return line.length <= 80 ? line : `${line.slice(0, 79).replace(/[\ud800-\udbff]$/, "")}…`;
}

function object(value: JsonValue | undefined): JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as JsonObject) : {};
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
