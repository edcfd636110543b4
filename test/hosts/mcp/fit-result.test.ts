import fc from "fast-check";
import { expect, test } from "vitest";
import { fitResult as fitWhole } from "../../../src/hosts/mcp/call/fit-result.ts";
import { encodePng } from "../../../src/output/pictures/png-encode.ts";
import { usualResultBytes as resultBytes } from "../../../src/tools/code/result-budget.ts";
import type { ToolContent } from "../../../src/tools/definition/tool.ts";
import { repetitions } from "../../environment/variants.ts";
import { TestAgent } from "./test-agent.ts";

const text = (words: string): ToolContent => ({ type: "text", text: words });
const link: ToolContent = { type: "link", uri: "artifact://main-1", name: "main-1", mimeType: null };

/** The content only, beside so many bytes for programs. */
async function fitResult(
  content: readonly ToolContent[],
  { keep, reserved = 0 }: Pick<TestAgent, "keep"> & { readonly reserved?: number },
): Promise<readonly ToolContent[]> {
  const structured = reserved === 0 ? {} : { seen: "x".repeat(reserved) };
  return (await fitWhole({ content, structured }, { keep, resultBytes })).content;
}

/** The size as a client counts it. */
function bytesOf(content: readonly ToolContent[]): number {
  return content.reduce((sum, part) => {
    if (part.type === "text") return sum + Buffer.byteLength(part.text);
    return sum + (part.type === "image" ? part.base64.length : part.uri.length);
  }, 0);
}

test("a result that fits stays unchanged", async () => {
  const content = [text("hello"), link];
  expect(await fitResult(content, new TestAgent([]))).toBe(content);
});

test("a long text loses its middle, and names the artifact with all of it", async () => {
  const agent = new TestAgent([]);
  const long = `first ${"x".repeat(200_000)} last`;
  const content = await fitResult([text("short"), text(long), link], agent);
  expect(content[0]).toEqual(text("short"));
  expect(content[1]).toMatchObject({
    text: expect.stringMatching(/^first x+\n… [\d,]+ bytes left out.*artifact:\/\/kept-1 …\nx+ last$/),
  });
  expect(content.slice(2)).toEqual([
    { type: "link", uri: "artifact://kept-1", name: "kept-1", mimeType: "text/plain" },
    link,
  ]);
  expect(agent.kept).toEqual([{ content: long, mimeType: "text/plain" }]);
  expect(bytesOf(content)).toBeLessThanOrEqual(resultBytes);
});

test("pictures that are too large are scaled down, and stay pictures", async () => {
  const photo = await picture(500);
  expect(photo.base64.length).toBeGreaterThan(resultBytes);
  const content = await fitResult([text("two"), photo, photo], new TestAgent([]));
  expect(content.map(({ type }) => type)).toEqual(["text", "image", "image"]);
  expect(bytesOf(content)).toBeLessThanOrEqual(resultBytes);
});

test("pictures without room become links", async () => {
  const photo = await picture(100);
  const agent = new TestAgent([]);
  const content = await fitResult(
    Array.from({ length: 30 }, () => ({ ...photo })),
    agent,
  );
  expect(content).toContainEqual(
    text("[image/png left out, because clients refuse results that are so large; it is artifact://kept-1]"),
  );
  expect(agent.kept[0]).toEqual({ content: Buffer.from(photo.base64, "base64"), mimeType: "image/png" });
  expect(bytesOf(content)).toBeLessThanOrEqual(resultBytes);
});

test("content that cannot be kept is reported", async () => {
  const content = await fitResult([text("x".repeat(200_000))], { keep: async () => null });
  expect(content).toHaveLength(1);
  expect(content[0]).toMatchObject({ text: expect.stringContaining("could not be kept") });
});

test("any texts fit, in order, and short ones are unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(120_000), { maxLength: 12 }), fc.nat(20_000), async (lengths, reserved) => {
      const content = lengths.map((length, index) => text(`${index}:${"ü".repeat(length / 2)}`));
      const fitted = await fitResult(content, { ...new TestAgent([]), reserved });
      expect(bytesOf(fitted) + reserved).toBeLessThanOrEqual(resultBytes);
      const shown = fitted.filter((part) => part.type === "text");
      expect(shown.map((part) => Number.parseInt(part.text, 10))).toEqual(lengths.map((_, index) => index));
      for (const [index, part] of content.entries()) {
        if (bytesOf([part]) < 2000) expect(shown[index]).toEqual(part);
      }
    }),
    { numRuns: repetitions(100) },
  );
});

test("what is for programs fits as well: long texts are shortened, long values left out", async () => {
  const structured = { path: "a.py", diff: "é".repeat(80_000), value: [..."x".repeat(80_000)] };
  const fitted = await fitWhole({ content: [text("y".repeat(80_000))], structured }, new TestAgent([]));
  expect(fitted.structured).toEqual({ path: "a.py", diff: expect.stringMatching(/^é+…$/) });
  expect(bytesOf(fitted.content) + Buffer.byteLength(JSON.stringify(fitted.structured))).toBeLessThanOrEqual(
    resultBytes,
  );
});

test("whatever a tool returns is within the limit, has whole characters, and names where all of it is", async () => {
  const words = fc.constantFrom("a", "ü", "😀", "👩‍👩‍👧", "e\u0301", "\u0001", "line\n");
  const texts = fc.tuple(words, fc.nat(40_000)).map(([word, times]) => text(word.repeat(times)));
  const broken = fc
    .nat(150_000)
    .map((length) => ({ type: "image", base64: "A".repeat(length), mimeType: "image/png" }) as const);
  const parts = fc.oneof({ weight: 3, arbitrary: texts }, broken, fc.constant(link));
  const many = fc.tuple(parts, fc.integer({ min: 0, max: 2000 })).map(([part, count]) => {
    const isLong = part.type !== "link" && bytesOf([part]) > 2000;
    return Array.from({ length: isLong ? 1 : count }, () => ({ ...part }));
  });
  const values = fc.dictionary(
    fc.string({ maxLength: 5 }),
    fc.oneof(
      fc.nat(),
      texts.map((part) => (part as { text: string }).text),
    ),
    { maxKeys: 6 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(many, { maxLength: 5 }), values, async (groups, structured) => {
      const content = groups.flat();
      const agent = new TestAgent([]);
      const fitted = await fitWhole({ content, structured }, agent);
      expect(bytesOf(fitted.content) + Buffer.byteLength(JSON.stringify(fitted.structured))).toBeLessThanOrEqual(
        resultBytes,
      );
      const shown = fitted.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
      for (const each of [...shown, JSON.stringify(fitted.structured)]) expect(Buffer.from(each).toString()).toBe(each);
      const { length } = agent.kept;
      if (length > 0) expect(shown.join("\n")).toContain(`artifact://kept-${length}`);
    }),
    { numRuns: repetitions(200) },
  );
}, 60_000);

/** Similar to a photograph, always the same: large as PNG and small as JPEG. */
async function picture(side: number): Promise<Extract<ToolContent, { type: "image" }>> {
  const rgba = new Uint8Array(side * side * 4);
  let state = 1;
  for (let at = 0; at < rgba.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    rgba[at] = at % 4 === 3 ? 255 : 100 + (state >>> 29) + ((at >>> 2) % side) / 4;
  }
  const png = await encodePng({ width: side, height: side, rgba });
  return { type: "image", base64: png.toString("base64"), mimeType: "image/png" };
}
