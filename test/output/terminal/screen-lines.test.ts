import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ScreenLines } from "../../../src/output/terminal/screen-lines.ts";
import { VtParser } from "../../../src/output/terminal/vt-parser.ts";
import { repetitions } from "../../environment/variants.ts";
import { asSeen, terminalOracle } from "./terminal-oracle.ts";
import { anyOutput, chunkSizes, inChunks, terminalOutput } from "./terminal-output.ts";

const smallScreen = { rows: 6, columns: 300 };

describe("the text of an output is the final state of a terminal", () => {
  test("for any well-formed output", async () => {
    const seen = terminalOracle(smallScreen);
    await fc.assert(
      fc.asyncProperty(terminalOutput, async (output) => {
        expect(asSeen(shown([output]))).toBe(await seen(output));
      }),
      { numRuns: repetitions(200) },
    );
  });

  test.each<[what: string, output: string, text: string]>([
    ["a bar that returns to its beginning", "\r 10%\r 50%\r100%\ndone\n", "100%\ndone\n"],
    ["a shorter line over a longer one", "downloading\rdone", "doneloading"],
    ["an erased line", "downloading\r\x1b[Kdone", "done"],
    ["a line covered with blanks", "downloading\r           \rdone\n", "done\n"],
    ["a line covered with blanks and left", "kept\ndownloading\r           \r", "kept\n"],
    ["a spinner", "working |\b/\b-\b\\\b done\n", "working  done\n"],
    ["bars on several lines", "a 0\nb 0\x1b[A\ra 1\n\rb 1\n", "a 1\nb 1\n"],
    ["lines that are erased again", "\x1b[2Kone\n\x1b[2Ktwo\n\x1b[1A\x1b[2K\x1b[1A\x1b[2Kdone\n", "done\n"],
    ["a screen that is redrawn", "frame 1\nold\n\x1b[H\x1b[2Jframe 2\n", "frame 2\n"],
    ["a screen that is cleared first", "frame 1\nold\n\x1b[2J\x1b[Hframe 2\n", "frame 2\n"],
    ["wide characters under narrow ones", "日本語\rab", "ab本語"],
    ["half a wide character", "日本語\ra", "a 本語"],
    ["narrow characters under wide ones", "abcdef\r日本", "日本ef"],
    ["an accent of its own", "cafe\u0301\rC", "Cafe\u0301"],
    ["blanks at the end of a line", "a  \nb\t\n", "a  \nb\t\n"],
    ["line ends of Windows", "a\r\nb\r\r\n", "a\nb\n"],
  ])("%s", (_what, output, text) => {
    expect(shown([output])).toBe(text);
  });
});

test("the text does not depend on how the output was chunked", () => {
  fc.assert(
    fc.property(anyOutput, chunkSizes, (output, sizes) => {
      expect(shown(inChunks(output, sizes), { rows: 4, columns: 9 })).toBe(shown([output], { rows: 4, columns: 9 }));
    }),
    { numRuns: repetitions(500) },
  );
});

describe("final text", () => {
  test("is passed on, so that memory stays small for an endless output", () => {
    let handedOn = 0;
    const screen = new ScreenLines((text) => {
      handedOn += text.length;
    });
    const chunk = "some line of output\n".repeat(1000);
    for (let count = 0; count < 500; count++) screen.text(chunk);
    expect(screen.current.length).toBeLessThan(200_000);
    expect(handedOn + screen.current.length).toBe(500 * chunk.length);
  });

  test("is passed on even without a line feed", () => {
    let handedOn = "";
    const screen = new ScreenLines((text) => {
      handedOn += text;
    });
    for (let count = 0; count < 100; count++) screen.text("x".repeat(1000));
    expect(screen.current.length).toBeLessThanOrEqual(8192);
    screen.carriageReturn();
    screen.text("end");
    screen.finish();
    expect(handedOn.length).toBe(100_000);
    expect(handedOn).toMatch(/^x+endx+$/);
  });

  test("is passed on at once for large chunks, with the same result as line by line", () => {
    const output = `ab\r  ${"\n".repeat(200)}end`;
    expect(shown([output])).toBe(shown([...output]));
  });

  test("stays as it is when a cursor goes up too far", () => {
    const lines = Array.from({ length: 150 }, (_, at) => `line ${at}\n`).join("");
    const text = shown([lines, "\x1b[999A\rLINE"], { rows: 100, columns: 300 });
    expect(text).toBe(lines.replace("line 51\n", "LINE 51\n"));
  });
});

function shown(chunks: readonly string[], size = smallScreen): string {
  let text = "";
  const screen = new ScreenLines((final) => {
    text += final;
  }, size);
  const parser = new VtParser();
  for (const chunk of chunks) parser.feed(chunk, screen);
  parser.end(screen);
  screen.finish();
  return text;
}
