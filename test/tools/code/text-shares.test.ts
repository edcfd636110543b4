import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type OutputPart, outputOf } from "../../../src/output/output-part.ts";
import { sharesOf, withinBudget } from "../../../src/tools/code/text-shares.ts";

const sizes = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 20 });

describe("several outputs in one budget", () => {
  test("each gets at most what it needs, and together at most the budget", () => {
    fc.assert(
      fc.property(sizes, fc.nat(200_000), (needed, budget) => {
        const shares = sharesOf(needed, budget);
        expect(shares.every((share, index) => share <= (needed[index] ?? 0))).toBe(true);
        const total = shares.reduce((sum, share) => sum + share, 0);
        expect(total).toBeLessThanOrEqual(budget);
        const all = needed.reduce((sum, size) => sum + size, 0);
        if (all <= budget) expect(shares).toEqual(needed);
        // Only the remainder of the division is wasted.
        else expect(total).toBeGreaterThan(budget - needed.length);
      }),
    );
  });

  test("an output that gets less than it needs gets as much as any other", () => {
    fc.assert(
      fc.property(sizes, fc.nat(200_000), (needed, budget) => {
        const shares = sharesOf(needed, budget);
        const largest = Math.max(...shares);
        for (const [index, share] of shares.entries()) {
          if (share < (needed[index] ?? 0)) expect(largest - share).toBeLessThanOrEqual(needed.length);
        }
      }),
    );
  });

  test("texts that are cut keep their beginning and their end, and name the artifact with all of it", async () => {
    const lines = fc.array(fc.string({ maxLength: 10, unit: "grapheme" }), { minLength: 1, maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(lines, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 2000, max: 8000 }),
        async (all, budget) => {
          const kept: string[] = [];
          const texts = all.map((each) => ({
            text: each.map((line) => line.replaceAll("\n", " ")).join("\n"),
            address: null,
          }));
          const outputs = texts.map(({ text, address }) => ({ parts: [{ type: "text", text } as const], address }));
          const cut = await withinBudget(outputs, budget, async (text) => `artifact://s-${kept.push(text)}`);
          const shown = cut.map(({ parts, address }) => ({ text: outputOf(parts), address }));
          for (const [index, { text, address }] of shown.entries()) {
            const whole = texts[index]?.text ?? "";
            if (address === null) {
              expect(text).toBe(whole);
              continue;
            }
            expect(kept).toContain(whole);
            const [head = "", tail = ""] = text.split(/… more is left out here[^\n]* …\n/);
            expect(text).toContain(address);
            expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
          }
          const notices = shown.filter(({ address }) => address !== null).length * 150;
          expect(shown.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(
            budget + notices,
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  test("a figure in the left-out part stands at the gap", async () => {
    const figure = (name: string): OutputPart => ({
      type: "display",
      text: `<${name}>\n`,
      display: { displayId: null, text: `<${name}>`, parts: [] },
      begins: undefined,
      whole: { start: 0, end: 0 },
    });
    const lines: OutputPart = { type: "text", text: "a line\n".repeat(500) };
    const parts = [figure("first"), lines, figure("middle"), lines, figure("last")];
    const [cut] = await withinBudget([{ parts, address: null }], 1000, async () => "artifact://s-1");
    expect(cut?.parts.map(({ type, text }) => `${type} ${text.split("\n").at(0)}`)).toEqual([
      "display <first>",
      "text a line",
      "display ",
      "text a line",
      "display <last>",
    ]);
    expect(cut?.parts[1]?.text).toMatch(/artifact:\/\/s-1 …\n$/);
  });
});
