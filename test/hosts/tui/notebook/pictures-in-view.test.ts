import { describe, expect, test } from "vitest";
import { environment } from "../../../environment/pythons.ts";
import { until } from "../../../kernel/until.ts";
import { blue, painted, pngOf, red } from "../../../view/pictures/painted.ts";
import { opened } from "./opened.ts";

const { base64 } = await pngOf(painted(60, 30, (x) => (x < 30 ? red : blue)));
const withPicture = {
  source: "plot()",
  execution_count: 1,
  outputs: [
    {
      output_type: "display_data",
      data: { "image/png": base64, "text/plain": ["<Figure size 60x30 with 1 Axes>"] },
      metadata: {},
    },
  ],
};
const rgb = { red: 0xff0000, blue: 0x0000ff };

describe("a picture", () => {
  test("is drawn with characters in a terminal without picture support", async () => {
    const { terminal } = await opened([withPicture], { rows: 30 });
    await terminal.shows(/^┃ ▀{60}$/m);
    const row = terminal.screen.split("\n").findIndex((line) => line.includes("▀"));
    expect(terminal.cell(row, 2).getFgColor()).toBe(rgb.red);
    expect(terminal.cell(row, 61).getBgColor()).toBe(rgb.blue);
    expect(terminal.screen.match(/▀{60}/g)).toHaveLength(15);
    expect(terminal.screen).not.toContain("<Figure");
  });

  test("is between the text printed before and after it, even where that looks like its placeholder", async () => {
    const printed = (text: string) => ({ output_type: "stream", name: "stdout", text: [text] });
    const figure = "<Figure size 60x30 with 1 Axes>\n";
    const outputs = [printed(figure), ...withPicture.outputs, printed("middle\n"), printed(figure)];
    const { terminal } = await opened([{ ...withPicture, outputs }], { rows: 40 });
    await terminal.shows(/<Figure size .*>\n(?:┃ ▀{60}\n){15}┃ middle\n┃ <Figure size .*>/);
  });

  test("is sent to a terminal with kitty's protocol, and drawn with characters when only partly visible", async () => {
    const cells = [withPicture, ...Array.from({ length: 20 }, (_, at) => `x = ${at}`)];
    const { terminal } = await opened(cells, { rows: 14, env: { TERM: "xterm-kitty" } });
    // A character measures 6 by 12 pixels.
    terminal.type("\x1b[6;12;6t");
    await until("the picture is sent", () => terminal.written.includes("a=T,f=100,q=2,C=1,c=10,r=3"));
    expect(terminal.written).toContain(base64);
    expect(terminal.screen).not.toContain("▀");
    terminal.type(..."jjjjj");
    await terminal.shows(/cell 5 of 21\n {2}▀{10}\n {2}\[ \]/);
  });

  test("is drawn by a terminal that reports sixel", async () => {
    const { terminal } = await opened([withPicture], { rows: 30 });
    await terminal.shows(/▀{60}/);
    terminal.type("\x1b[?62;4;22c");
    await until("the picture is sent", () => terminal.written.includes("\x1bP0;0;q"));
    await terminal.shows(/^(?![\s\S]*▀)/);
  });

  test("is only named when pictures are turned off", async () => {
    const { terminal } = await opened([withPicture], { pictures: "none" });
    await terminal.shows("┃ [image/png 60x30]");
  });

  const main = environment("main");
  test.skipIf(!("python" in main))("of matplotlib is shown when its cell has run", async () => {
    const plot = "import matplotlib.pyplot as plt\nplt.plot([1, 4, 9]);";
    const { terminal } = await opened([plot], { rows: 40, ...main });
    terminal.type("r");
    await terminal.shows(/✓ (?:.|\n)*▀{30}/);
  });
});
