import { describe, expect, test } from "vitest";
import { renderCellBlock } from "../../../src/view/cell-block.ts";
import { type Theme, themeFor } from "../../../src/view/theme/theme.ts";
import { cell, view } from "../samples.ts";
import { cellsOf, looksOf } from "../screen.ts";

const depths = [16, 256, "true"] as const;
const backgrounds = ["dark", "light"] as const;

describe.each(depths)("%s colours", (colors) => {
  test.each(backgrounds)("on %s: important styles differ", async (background) => {
    const looks = await looksOf(themeFor({ colors, background }));
    const namesTogether = [...looks.values()].map((names) => names.join(" "));
    for (const [one, other] of [
      ["error", "success"],
      ["error", "warning"],
      ["keyword", "string"],
      ["string", "comment"],
      ["added", "removed"],
      ["running", "error"],
    ] as const) {
      expect(namesTogether.filter((names) => names.includes(one) && names.includes(other))).toEqual([]);
    }
  });

  test.each(backgrounds)("on %s: uses only the available colours", (background) => {
    const theme = themeFor({ colors, background });
    const codes = Object.values(theme).flatMap((style) => sgrNumbers(style("x")));
    const usesPalette = codes.some((code) => code.startsWith("38;5;"));
    const usesRgb = codes.some((code) => code.startsWith("38;2;"));
    expect({ usesPalette, usesRgb }).toEqual({ usesPalette: colors === 256, usesRgb: colors === "true" });
  });
});

test.each([
  ["dark", [0x1e, 0x1e, 0x1e]],
  ["light", [0xff, 0xff, 0xff]],
] as const)("every text can be read on a %s background", (background, behind) => {
  const theme = themeFor({ colors: "true", background });
  const tooFaint = Object.entries(theme)
    .map(([name, style]) => ({ name, contrast: contrast(colourOf(style("x")) ?? null, behind) }))
    .filter(({ name, contrast: ratio }) => ratio < (name === "border" ? 1.5 : 4.5));
  expect(tooFaint).toEqual([]);
});

test("without colours there are no escape sequences at all", () => {
  const theme = themeFor({ colors: 0, background: "light" });
  expect(Object.values(theme).map((style) => style("x"))).toEqual(Object.values(theme).map(() => "x"));
  const lines = renderCellBlock(cell({ status: "error" }), { ...view(), theme, previewLines: 10 });
  expect(lines.join("")).not.toContain("\u001b");
});

test("an empty text stays empty", () => {
  const theme: Theme = themeFor({ colors: 256, background: "dark" });
  expect(theme.error("")).toBe("");
});

test("a style ends where it should", async () => {
  const theme = themeFor({ colors: 256, background: "dark" });
  const line = (Object.keys(theme) as (keyof Theme)[]).map((name) => `${theme[name]("x")}.`).join("");
  const [row = []] = await cellsOf([line], 80);
  expect(row.filter(({ characters }) => characters === ".").map(({ look }) => look)).toEqual(
    Object.keys(theme).map(() => ""),
  );
});

function sgrNumbers(styled: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are made of them
  return [...styled.matchAll(/\u001b\[([\d;]*)m/g)].map(([, numbers = ""]) => numbers.slice(numbers.indexOf("38;")));
}

function colourOf(styled: string): readonly number[] | undefined {
  return /38;2;(\d+);(\d+);(\d+)/.exec(styled)?.slice(1).map(Number);
}

/** As WCAG defines it; text without a colour of its own is up to the terminal. */
function contrast(colour: readonly number[] | null, behind: readonly number[]): number {
  if (colour === null) return 21;
  const [light = 1, dark = 1] = [luminance(colour), luminance(behind)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
