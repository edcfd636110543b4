import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Sink } from "../../src/output/sink.ts";
import { areAlike } from "../../src/output/text/alike-lines.ts";
import { repetitions } from "../environment/variants.ts";
import { ArtifactInMemory } from "./artifact-in-memory.ts";
import { chunkSizes, inChunks } from "./terminal/terminal-output.ts";

const steps = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `step ${from + at} loss 0.${from + at}\n`).join("");

async function folded(text: string, options: { budget?: { bytes: number }; sizes?: Iterable<number> } = {}) {
  const artifact = new ArtifactInMemory();
  const budget = { bytes: options.budget?.bytes ?? 1_000_000, headBytes: 400, lines: 100_000, lineBytes: 4096 };
  const sink = new Sink({ budget, foldsLines: true, openArtifact: () => artifact });
  for (const chunk of options.sizes === undefined ? [text] : inChunks(text, options.sizes)) sink.write(chunk, "stdout");
  const visible = sink.visible;
  return { ...(await sink.dump()), visible, whole: artifact.text };
}

describe("similar lines", () => {
  test("become their first and last ten, the exact number of the others, and the address of all", async () => {
    const { text, whole, ...dump } = await folded(`start\n${steps(1, 20_000)}end\n`);
    expect(text).toBe(
      `start\n${steps(1, 10)}… 19,980 lines like "step 11 loss 0.11"; all of it: artifact://test-1 …\n${steps(19_991, 20_000)}end\n`,
    );
    expect(whole).toBe(`start\n${steps(1, 20_000)}end\n`);
    expect(dump).toMatchObject({ truncated: true, totalLines: 20_002, shownLines: 22, elidedLines: 19_980 });
    expect(dump.totalBytes).toBe(Buffer.byteLength(whole));
  });

  test("stay when there are at most a hundred in a row", async () => {
    const text = steps(1, 100);
    expect(await folded(text)).toMatchObject({ text, truncated: false, artifact: null });
    expect((await folded(steps(1, 101))).text).toContain("… 81 lines like");
  });

  test("a line that differs in a word stays, and so does loss nan", async () => {
    const { text } = await folded(`${steps(1, 500)}step 501 loss nan\n${steps(502, 900)}`);
    expect(text).toContain("step 500 loss 0.500\nstep 501 loss nan\nstep 502 loss 0.502\n");
    expect(text.match(/lines like/g)).toHaveLength(2);
  });

  test("are shown while the code runs as at its end", async () => {
    const { visible } = await folded(steps(1, 1000));
    expect(visible).toContain('… 980 lines like "step 11 loss 0.11"; all of it: artifact://test-1 …');
    expect(visible.endsWith(steps(991, 1000))).toBe(true);
  });

  test("empty lines are called so", async () => {
    expect((await folded("\n".repeat(500))).text).toContain("… 480 empty lines; all of it");
  });

  test("clearing the output makes it whole again", async () => {
    const sink = new Sink({ foldsLines: true });
    sink.write(steps(1, 1000), "stdout");
    sink.clear({ wait: false });
    sink.write("after\n", "stdout");
    expect(await sink.dump()).toMatchObject({ text: "after\n", truncated: false, totalLines: 1 });
  });

  test("stay in displays and errors, which are between them in order", async () => {
    const sink = new Sink({ foldsLines: true, budget: { bytes: 1_000_000 } });
    const block = steps(1, 300);
    sink.write(`${steps(1, 300)}open`, "stdout");
    sink.writeBlock(block, { mark: { isGone: false } });
    sink.write(steps(1, 300), "stdout");
    await sink.dump();
    const { pieces } = sink;
    const marked = pieces.find(({ text }) => text === block);
    expect(marked?.whole).toEqual({ start: block.length + 5, end: 2 * block.length + 5 });
    expect(pieces.filter(({ text }) => text.includes("280 lines like"))).toHaveLength(2);
  });

  test("are all there when they are not folded", async () => {
    const sink = new Sink({ budget: { bytes: 1_000_000 } });
    sink.write(steps(1, 1000), "stdout");
    expect(await sink.dump()).toMatchObject({ text: steps(1, 1000), truncated: false });
  });
});

describe("a printed traceback", () => {
  const frames = Array.from({ length: 300 }, (_, at) => `  File "a.py", line ${at}, in f\n`).join("");

  test("keeps all of its lines", async () => {
    const text = `Traceback (most recent call last):\n${frames}ValueError: no\n`;
    expect((await folded(text)).text).toBe(text);
  });

  test("keeps them in an exception group, and lines after it fold", async () => {
    const group = `  + Exception Group Traceback (most recent call last):\n${frames.replace(/^/gm, "  | ").slice(0, -4)}`;
    const { text } = await folded(`${group}  | ExceptionGroup: two\n${steps(1, 500)}`);
    expect(text.startsWith(group)).toBe(true);
    expect(text).toContain("lines like");
  });
});

describe("for any lines", () => {
  const word = fc.constantFrom("a", "loss", "1", "-2", "0.5", "1e-3", " ", "  ", "x1", "nan", "-", "é", ".", "e");
  const line = fc.array(word, { maxLength: 5 }).map((words) => words.join(""));
  const run = fc.tuple(line, fc.integer({ min: 1, max: 250 })).map(([one, times]) => `${one} 7\n`.repeat(times));
  const numberedRun = fc
    .integer({ min: 1, max: 250 })
    .map((times) => Array.from({ length: times }, (_, at) => `n ${at} of ${times}\n`).join(""));
  const anyText = fc.array(fc.oneof(run, numberedRun), { maxLength: 6 }).map((runs) => runs.join(""));

  /** What the lines have besides numbers. */
  const wordsOf = (text: string): string =>
    text
      .trim()
      .replace(/(?:(?<![\w\u0080-\uffff])[+-])?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, "0")
      .replace(/\s+/g, " ");

  test("lines are alike exactly if they have the same words", () => {
    fc.assert(
      fc.property(line, line, (one, other) => {
        expect(areAlike(one, other)).toBe(wordsOf(one) === wordsOf(other));
      }),
      { numRuns: repetitions(2000) },
    );
  });

  test("counts add up, order stays, folded lines differ only in numbers, and the artifact has all", async () => {
    const property = fc.asyncProperty(anyText, chunkSizes, async (text, sizes) => {
      const dump = await folded(text, { sizes });
      const lines = text.split("\n").slice(0, -1);
      let at = 0;
      for (const shown of dump.text.split("\n").slice(0, -1)) {
        const notice = /^… ([\d,]+) (?:empty lines|lines like ")/.exec(shown);
        if (notice === null) {
          expect(shown).toBe(lines[at++]);
          continue;
        }
        const left = lines.slice(at, at + Number(notice[1]?.replaceAll(",", "")));
        expect(new Set([lines[at - 1] ?? "", ...left].map(wordsOf)).size).toBe(1);
        at += left.length;
      }
      expect(at).toBe(lines.length);
      expect(dump).toMatchObject({ totalLines: lines.length, totalBytes: Buffer.byteLength(text) });
      expect(dump.shownLines + dump.elidedLines).toBe(dump.totalLines);
      expect(dump.truncated ? dump.whole : text).toBe(text);
      expect(dump.truncated).toBe(dump.elidedLines > 0);
    });
    await fc.assert(property, { numRuns: repetitions(100) });
  });

  test("counts add up when the budget omits lines besides", async () => {
    const property = fc.asyncProperty(anyText, fc.integer({ min: 500, max: 3000 }), async (text, bytes) => {
      const dump = await folded(text, { budget: { bytes } });
      const notices = [...dump.text.matchAll(/^… ([\d,]+) (?:empty )?lines?\b.* …$/gm)];
      const left = notices.reduce((sum, [, count]) => sum + Number(count?.replaceAll(",", "")), 0);
      expect(left).toBe(dump.elidedLines);
      expect(dump.text.split("\n").length - 1 - notices.length).toBe(dump.shownLines);
      expect(dump.shownLines + dump.elidedLines).toBe(dump.totalLines);
      expect(dump.totalLines).toBe(text.split("\n").length - 1);
      expect(dump.shownBytes + dump.elidedBytes).toBe(dump.totalBytes);
      expect(dump.truncated ? dump.whole : text).toBe(text);
    });
    await fc.assert(property, { numRuns: repetitions(100) });
  });
});
