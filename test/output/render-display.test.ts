import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { MimeBundle } from "../../src/kernel/events.ts";
import { displayText, type ImagePart, type KeptPart } from "../../src/output/display/display-part.ts";
import { renderDisplay } from "../../src/output/display/render-display.ts";
import { decodePng } from "../../src/output/pictures/png-decode.ts";
import { encodePng } from "../../src/output/pictures/png-encode.ts";
import type { JsonValue } from "../../src/support/json/value.ts";
import { noisePixels } from "./pictures/pictures.ts";
import { samples, withoutPackages } from "./python-samples.ts";

const text = async (data: MimeBundle) => displayText(await renderDisplay(data));
const kept = async (data: MimeBundle) =>
  (await renderDisplay(data)).parts.filter((part): part is KeptPart => part.type === "kept");

describe("the text of a display", () => {
  const all = {
    "application/json": { a: 1 },
    "text/latex": "$x$",
    "text/html": "<b>bold</b>",
    "text/plain": "plain",
    "text/markdown": "*mark*",
  };
  const { "text/markdown": _markdown, ...withoutMarkdown } = all;
  const { "text/plain": _plain, ...withoutPlain } = withoutMarkdown;
  const { "text/html": _html, ...withoutHtml } = withoutPlain;

  test.each<[what: string, data: MimeBundle, text: string]>([
    ["Markdown first", all, "*mark*"],
    ["then plain text", withoutMarkdown, "plain"],
    ["then HTML", withoutPlain, "**bold**"],
    ["then LaTeX", withoutHtml, "$x$"],
    ["then JSON", { "application/json": { a: 1 } }, '{ "a": 1 }'],
    ["text in lines, as notebooks have it", { "text/plain": ["a\n", "b"] }, "a\nb"],
    [
      "HTML before a class's name",
      { "text/plain": "<IPython.core.display.HTML object>", "text/html": "<i>x</i>" },
      "*x*",
    ],
    [
      "a class's name when there is nothing else",
      { "text/plain": "<__main__.A object at 0x7f>" },
      "<__main__.A object at 0x7f>",
    ],
    [
      "HTML before a repr with all parts of an object",
      {
        "text/plain": "GT(_tbl_data=   a\n0  1, _body=<great_tables._gt_data.Body object at 0x7f3a>)",
        "text/html": "<style>td { color: red }</style><table><tr><th>a</th></tr><tr><td>1</td></tr></table>",
      },
      "| a |\n| --- |\n| 1 |",
    ],
    [
      "a repr with all parts of an object when there is no HTML",
      { "text/plain": "GT(_body=<Body object at 0x7f3a>)" },
      "GT(_body=<Body object at 0x7f3a>)",
    ],
    [
      "plain text of an estimator before its HTML",
      { "text/plain": "Pipeline(steps=[('scale', StandardScaler())])", "text/html": "<b>Pipeline</b>" },
      "Pipeline(steps=[('scale', StandardScaler())])",
    ],
    ["nothing", {}, ""],
  ])("%s", async (_what, data, expected) => {
    expect(await text(data)).toBe(expected);
  });
});

describe("what only a browser shows is one line", () => {
  const wav = `data:audio/wav;base64,${Buffer.from("RIFF").toString("base64")}`;
  test.each<[what: string, data: MimeBundle, text: RegExp]>([
    [
      "a map of folium",
      {
        "text/plain": "<folium.folium.Map object at 0x7f>",
        "text/html":
          '<div><span>Make this Notebook Trusted to load map: File -> Trust Notebook</span><iframe srcdoc="leaflet.js"></iframe></div>',
      },
      /^\[Leaflet map \(folium\), 1\d\d bytes, needs a browser\]$/,
    ],
    [
      "a table of itables",
      {
        "text/plain": "<IPython.core.display.HTML object>",
        "text/html":
          '<table id="itables_1"><tr><td>Loading ITables v2 from the internet... (need help?)</td></tr></table>',
      },
      /^\[interactive table \(itables\), 1\d\d bytes, needs a browser\]$/,
    ],
    [
      "a sound, whose bytes are kept",
      {
        "text/plain": "<IPython.lib.display.Audio object>",
        "text/html": `\n<audio controls="controls"><source src="${wav}" type="audio/wav" />Your browser does not support it.</audio>`,
      },
      /^\[sound \(audio\/wav\), 4 bytes, not shown\]$/,
    ],
    [
      "a film elsewhere",
      {
        "text/plain": "<IPython.core.display.Video object>",
        "text/html": '<video src="https://example.org/a.mp4" controls>No <code>video</code> element.</video>',
      },
      /^\[film: https:\/\/example\.org\/a\.mp4\]$/,
    ],
    [
      "a player without a source",
      { "text/html": "<video controls></video>" },
      /^\[film player, 24 bytes, needs a browser\]$/,
    ],
    [
      "a drawing, without the name of its class",
      { "text/plain": "<IPython.core.display.SVG object>", "image/svg+xml": "<svg></svg>" },
      /^\[SVG drawing, 11 bytes, not shown: .*\]$/,
    ],
    [
      "a plot of HoloViews",
      {
        "text/plain": ":Curve   [x]   (y)",
        "text/html": "<script></script>",
        "application/vnd.holoviews_exec.v0+json": "",
      },
      /^:Curve {3}\[x\] {3}\(y\)\n\[HoloViews plot, 17 bytes, needs a browser\]$/,
    ],
    [
      "a plot of Bokeh, with the package that draws a picture",
      { "text/html": "<div></div>", "application/javascript": "draw()", "application/vnd.bokehjs_exec.v0+json": "" },
      /^For a picture: %pip install selenium, .*\n\[Bokeh plot, 6 bytes, needs a browser\]$/,
    ],
    [
      "an animation of matplotlib",
      { "text/html": '<div class="animation"><img><form>Once Loop</form></div><script>new Animation(f)</script>' },
      /^\[animation \(matplotlib\), 89 bytes, needs a browser\]$/,
    ],
    ["nothing, when Bokeh loads", { "application/javascript": "x", "application/vnd.bokehjs_load.v0+json": "" }, /^$/],
    ["nothing, when Bokeh says that it loads", { "text/html": "<span>Loading BokehJS ...</span>" }, /^$/],
    [
      "nothing, when itables loads, nor its advice to trust the notebook",
      {
        "text/plain": "<IPython.core.display.HTML object>",
        "text/html":
          "<div>This is the <code>init_notebook_mode</code> cell from ITables<br>(is your notebook trusted?)</div><script></script>",
      },
      /^$/,
    ],
    ["nothing of the logos of HoloViews", { "text/html": '<div class="logo-block"><img></div>' }, /^$/],
    [
      "nothing, when HoloViews loads",
      { "application/javascript": "x", "application/vnd.holoviews_load.v0+json": "" },
      /^$/,
    ],
  ])("%s", async (_what, data, expected) => {
    expect(await text(data)).toMatch(expected);
  });

  test("text about sound or trust is read as text", async () => {
    expect(await text({ "text/html": "<p>The audio is <b>loud</b></p>" })).toBe("The audio is **loud**");
  });
});

describe("JSON", () => {
  test("is a value, even beside other text", async () => {
    const value = { a: [1, 2] };
    expect((await renderDisplay({ "application/json": value, "text/plain": "p" })).parts).toEqual([
      { type: "json", value },
    ]);
    expect((await renderDisplay({ "application/json": '{"a": [1, 2]}' })).parts).toEqual([{ type: "json", value }]);
  });

  test("that its tree does not show whole is kept", async () => {
    const value = { rows: Array.from({ length: 1000 }, (_, id) => ({ id, name: `row number ${id}` })) };
    const [part] = await kept({ "application/json": value });
    expect(part).toMatchObject({ mimeType: "application/json" });
    expect(JSON.parse(String(part?.content))).toEqual(value);
    expect(displayText(await renderDisplay({ "application/json": value }), () => "artifact://s-1")).toMatch(
      /… 970 more\n[\s\S]*\n\[JSON, \d+ KB → artifact:\/\/s-1\]$/,
    );
  });

  test("that is broken is reported beside the text", async () => {
    const rendered = await renderDisplay({ "application/json": '{"a": ', "text/plain": "p" });
    expect(rendered).toEqual({ text: "p\n[application/json is broken: it does not parse]", parts: [] });
  });

  test("that is nested without end does not overflow", async () => {
    const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000)) as JsonValue;
    expect((await renderDisplay({ "application/json": deep })).text).toContain("[… 1 item]");
  });
});

describe("status events", () => {
  test("that are none do not hide the text and the picture beside them", async () => {
    const data = {
      "application/x-granary-status": { path: "a.txt" },
      "text/plain": "read a.txt",
      "application/json": { lines: 3 },
    };
    const { text, parts } = await renderDisplay(data);
    expect(text).toBe(
      'read a.txt\n[application/x-granary-status is not an object with a text "op", so it was ignored]',
    );
    expect(parts).toMatchObject([{ type: "json", value: { lines: 3 } }]);
  });

  test.each(["granary", "xcsh", "pisces", "omp"])("application/x-%s-status is an event and no text", async (name) => {
    const data = { [`application/x-${name}-status`]: { op: "read", path: "a.txt" }, "text/plain": "ignored" };
    expect(await renderDisplay(data)).toEqual({
      text: "",
      parts: [{ type: "status", event: { op: "read", path: "a.txt" } }],
    });
  });

  test.each<[JsonValue]>([[null], ["x"], [[]], [{}], [{ op: 1 }], [{ op: "" }]])(
    "%j is none, which is said",
    async (value) => {
      const { text, parts } = await renderDisplay({ "application/x-granary-status": value });
      expect(text).toBe('[application/x-granary-status is not an object with a text "op", so it was ignored]');
      expect(parts).toEqual([]);
    },
  );
});

describe("pictures", () => {
  const small = () => encodePng(noisePixels(20, 10));

  test("come with their text, byte for byte when they are small", async () => {
    const base64 = (await small()).toString("base64");
    const wrapped = base64.replace(/.{76}/g, "$&\n");
    const { text, parts } = await renderDisplay(
      { "text/plain": "<Figure size 20x10>", "image/png": wrapped },
      { "image/png": { alt: "noise" } },
    );
    expect(text).toBe("<Figure size 20x10>");
    const bytes = Buffer.from(base64, "base64").length;
    const original = { width: 20, height: 10, bytes };
    expect(parts).toEqual([
      { type: "image", mimeType: "image/png", base64, width: 20, height: 10, alt: "noise", original },
    ]);
  });

  test("that had to be scaled are kept as they were", async () => {
    const large = await encodePng(noisePixels(2000, 50));
    const { parts } = await renderDisplay({ "image/png": large.toString("base64") });
    const [image, original] = parts as [ImagePart, KeptPart];
    expect([image.width, image.height]).toEqual([1568, 39]);
    expect(image.original).toEqual({ width: 2000, height: 50, bytes: large.length });
    expect(large.equals(original.content as Buffer)).toBe(true);
    expect(original.label).toMatch(/^image\/png 2000x50, \d+ KB, shown at 1568x39$/);
  });

  test("have the type of their bytes, not the sender's", async () => {
    const { parts } = await renderDisplay({ "image/jpeg": (await small()).toString("base64") });
    expect(parts).toMatchObject([{ type: "image", mimeType: "image/png" }]);
  });

  test("that are broken are one line", async () => {
    const cut = (await small()).subarray(0, 300).toString("base64");
    expect(await renderDisplay({ "image/png": cut })).toEqual({
      text: "[image/png is broken: it is cut off after 300 bytes]",
      parts: [],
    });
    expect(await text({ "image/jpeg": "%%%" })).toBe("[image/jpeg is broken: it is empty]");
  });

  test("that are too large to decode are kept unseen", async () => {
    const header = Buffer.from(await small());
    header.writeUInt32BE(60_000, 16);
    header.writeUInt32BE(60_000, 20);
    expect(await text({ "image/png": header.toString("base64") })).toBe(
      `[image/png 60000x60000, ${header.length} bytes, not shown: it has more than the 100 megapixels that are decoded here]`,
    );
  });

  test("in formats that models do not accept are named and kept", async () => {
    const gif = Buffer.concat([Buffer.from("GIF89a"), Buffer.from([64, 1, 200, 0, 0, 0, 0])]);
    expect(await text({ "image/gif": gif.toString("base64") })).toBe(
      "[image/gif 320x200, 13 bytes, not shown: it ends too early]",
    );
    expect(await kept({ "image/gif": gif.toString("base64") })).toMatchObject([{ content: gif }]);
  });

  test("a GIF is shown by its first frame, and kept", async () => {
    const gif = Buffer.from("R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==", "base64");
    const display = await renderDisplay({ "image/gif": gif.toString("base64") });
    expect(displayText(display)).toBe(`[image/gif 1x1, ${gif.length} bytes, its first frame is shown]`);
    expect(display.parts).toMatchObject([
      { type: "image", mimeType: "image/png", width: 1, height: 1 },
      { type: "kept", content: gif },
    ]);
    const red = await decodePng(Buffer.from((display.parts[0] as ImagePart).base64, "base64"));
    expect([...[...red.rows()].flatMap((row) => [...row])]).toEqual([255, 0, 0, 255]);
  });
});

describe("an SVG drawing", () => {
  const drawing = (content: string, size = 'width="40" height="20"') =>
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`;
  const pixelsOf = async (svg: string) => {
    const [image] = (await renderDisplay({ "image/svg+xml": svg })).parts as ImagePart[];
    const { width, height, rows } = await decodePng(Buffer.from(image?.base64 ?? "", "base64"));
    return { width, height, bytes: Buffer.concat([...rows()].map((row) => Buffer.from(row))) };
  };

  test("comes as a picture on white, with the drawing itself, and without the name of its class", async () => {
    const svg = drawing('<rect width="20" height="20" fill="#00f"/>');
    const data = { "image/svg+xml": svg, "text/plain": "<IPython.core.display.SVG object>" };
    const display = await renderDisplay(data);
    expect(displayText(display)).toBe(`[SVG drawing, ${svg.length} bytes]`);
    expect(display.parts).toMatchObject([
      { type: "image", width: 40, height: 20 },
      { type: "kept", content: svg },
    ]);
    const { bytes } = await pixelsOf(svg);
    expect([...bytes.subarray(0, 4)]).toEqual([0, 0, 255, 255]);
    expect([...bytes.subarray(39 * 4, 40 * 4)]).toEqual([255, 255, 255, 255]);
  });

  test("that is larger than a model can see is drawn smaller", async () => {
    const { width, height } = await pixelsOf(drawing("", 'width="40000" height="20000"'));
    expect(width).toBeLessThanOrEqual(1568);
    expect(width).toBeCloseTo(2 * height, -1);
  });

  test("is not drawn where the same display has a picture", async () => {
    const png = (await encodePng(noisePixels(3, 3))).toString("base64");
    const { parts } = await renderDisplay({ "image/svg+xml": drawing(""), "image/png": png });
    expect(parts.map(({ type }) => type).sort()).toEqual(["image", "kept"]);
    expect(parts.find(({ type }) => type === "image")).toMatchObject({ width: 3, height: 3 });
  });

  test("loads no file of this machine", async () => {
    const file = new URL("../../docs/screens/", import.meta.url).pathname + readdirSync("docs/screens")[0];
    const empty = await pixelsOf(drawing(""));
    const withFile = drawing(
      `<image href="file://${file}" width="40" height="20"/><image href="${file}" width="40" height="20"/>`,
    );
    expect((await pixelsOf(withFile)).bytes.equals(empty.bytes)).toBe(true);
  });

  test.each([
    ["is broken", "<svg", /^\[SVG drawing, 4 bytes, not shown: .*\]$/],
    [
      "is nested deeply",
      drawing("<g>".repeat(100_000) + "</g>".repeat(100_000)),
      /^\[SVG drawing, [\d.]+ KB, not shown: .*\]$/,
    ],
    ["is huge", drawing("<g/>".repeat(1_500_000)), /^\[SVG drawing, [\d.]+ MB, not shown: the drawing is too large\]$/],
  ])("that %s is kept, with the reason", async (_what, svg, expected) => {
    expect(await text({ "image/svg+xml": svg })).toMatch(expected);
    expect(await kept({ "image/svg+xml": svg })).toMatchObject([{ content: svg }]);
  });
});

describe("content for a browser is named, and kept", () => {
  test.each<[what: string, data: MimeBundle, text: string]>([
    ["JavaScript", { "application/javascript": "alert(1)" }, "[JavaScript, 8 bytes]"],
    ["PDF", { "application/pdf": "JVBERi0=" }, "[application/pdf, 5 bytes]"],
    [
      "scripts",
      { "text/html": "<div id=a></div><script>Bokeh.embed()</script>" },
      "[HTML, 46 bytes, script only: Bokeh plot]",
    ],
    ["a table with a script", { "text/html": "x<script>y()</script>" }, "x\n[HTML, 21 bytes, shown in part]"],
    ["an unknown JSON", { "application/geo+json": { type: "Point" } }, "[application/geo+json, 16 bytes]"],
    [
      "a widget",
      { "application/vnd.jupyter.widget-view+json": { model_id: "x" } },
      "[Jupyter widget, which needs a browser]",
    ],
    [
      "an empty chart",
      { "application/vnd.plotly.v1+json": null },
      'For a picture: %pip install kaleido, then fig.show("png"), which starts Chrome.\n[Plotly figure: 0 traces, 4 bytes]',
    ],
  ])("%s", async (_what, data, expected) => {
    expect(await text(data)).toBe(expected);
  });

  test.skipIf(withoutPackages)("charts of plotly and altair are summarised", async () => {
    const charts = samples<Record<string, MimeBundle>>("chart_samples.py");
    expect(await text(charts.plotly ?? {})).toMatch(
      /^For a picture: %pip install kaleido, .*\n\[Plotly figure: 2 traces \(scatter, bar\), title "Sales", x "day", y "kg", [\d.]+ KB\]$/,
    );
    expect(await text(charts.script ?? {})).toMatch(/^\[HTML, [\d.]+ KB, script only: Plotly figure\]$/);
    expect(await text(charts.altair ?? {})).toMatch(
      /^For a picture: %pip install vl-convert-python, .*\n\[Vega-Lite chart: bar, x: day, y: mean\(kg\), 3 rows, title "Harvest", [\d.]+ (KB|bytes)\]$/,
    );
    expect(await text(charts.layered ?? {})).toMatch(/^For a picture: .*\n\[Vega-Lite chart: bar, line, x: day/);
  });
});

test("a cancelled display is not rendered", async () => {
  const signal = AbortSignal.abort(new Error("gone"));
  await expect(renderDisplay({ "text/plain": "x" }, {}, { signal })).rejects.toThrow("gone");
});

describe("a chart without a picture", () => {
  const chart = (type: string, more: MimeBundle = {}) => ({ [`application/vnd.${type}+json`]: {}, ...more });

  test.each([
    ["plotly.v1", "kaleido"],
    ["vegalite.v6", "vl-convert-python"],
    ["vega.v5", "vl-convert-python"],
    ["bokehjs_exec.v0", "selenium"],
  ])("of %s names the package that draws one", async (type, name) => {
    expect((await text(chart(type))).split("\n")[0]).toMatch(
      new RegExp(`^For a picture: %pip install ${name}, then .*\\.$`),
    );
    const png = (await encodePng(noisePixels(2, 2))).toString("base64");
    expect(await text(chart(type, { "image/png": png }))).not.toContain("For a picture");
  });

  test("is described once", async () => {
    const figure = { "application/vnd.plotly.v1+json": { data: [{ type: "bar" }], layout: {} } };
    const shown = await text({ ...figure, "text/plain": "plotly Figure: 1 trace (bar)" });
    expect(shown).toMatch(/^For a picture: .*\n\[Plotly figure: 1 trace \(bar\), \d+ bytes\]$/);
    const png = (await encodePng(noisePixels(2, 2))).toString("base64");
    const vega = {
      "application/vnd.vegalite.v6.json": { mark: "line" },
      "text/plain": "alt.Chart(...)",
      "image/png": png,
    };
    expect(await text(vega)).toBe("[Vega-Lite chart: line, 15 bytes]");
  });

  test("says so once, however many charts a reader gets", async () => {
    const told = new Set<string>();
    const texts = [];
    for (const type of ["plotly.v1", "vegalite.v6", "plotly.v1", "vegalite.v6"]) {
      texts.push((await renderDisplay(chart(type), {}, { told })).text);
    }
    expect(texts.map((each) => each !== "")).toEqual([true, true, false, false]);
  });
});

test("text in an SVG drawing is drawn with a font of the machine, or reported as missing", async () => {
  const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30">${content}</svg>`;
  const [empty, written] = await Promise.all(
    ["", '<text y="20" font-family="Times,serif">Ägypten</text>'].map((each) =>
      renderDisplay({ "image/svg+xml": svg(each) }),
    ),
  );
  const pictures = [empty, written].map((display) => (display?.parts[0] as ImagePart | undefined)?.base64);
  const isReported = displayText(written as never).includes("shown without its text: no font was found");
  expect(pictures[0] === pictures[1]).toBe(isReported);
});
