import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ScreenLines } from "../../../src/output/terminal/screen-lines.ts";
import { TerminalStream } from "../../../src/output/terminal/terminal-stream.ts";
import { repetitions } from "../../environment/variants.ts";
import { anyOutput } from "./terminal-output.ts";

/** Erasing in the midst of an empty line makes most blanks of the fewest bytes. */
const stepsPerByte = 100;
const toldPerByte = 30;

const long = { x: "x".repeat(8000), wide: "日".repeat(4000), tabs: "\t".repeat(8000), accents: "e\u0301".repeat(4000) };
const before = fc.oneof(
  fc.constantFrom("", ...Object.values(long)),
  fc.constantFrom(...Object.values(long)).map((line) => `${line}\n`.repeat(100)),
);
const nasty = fc.constantFrom(
  ...["\b", "\b\u0301é", "\r", "\n", "\t", "x", "日", "\u0301", "👩‍🚀", "\0", "\ufffd", "\u202e"],
  ...["A", "99A", "B", "99B", "99E", "99F", "C", "8000C", "D", "8000D", "G", "8000G", "H", "99;8000H"].map(csi),
  ...["K", "1K", "2K", "J", "1J", "2J", "3J", "m", "31m", "99999999999999999999C", ";;;;H"].map(csi),
  ...["\x1b", "\x1b[", "\x1b[1;2", "\x9b", "\x1b]0;", "\x1b]8;;x", "\x1bP", "\x9d", "\x07", "\x1b\\"],
);
const program = fc.array(nasty, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(""));

describe("the work that an output makes grows with its length, and not faster", () => {
  test("for any repeated output, after any screen", () => {
    fc.assert(
      fc.property(before, program, (first, again) => {
        expectLittleWork([first, again.repeat(Math.ceil(20_000 / again.length))]);
      }),
      {
        numRuns: repetitions(200),
        examples: [[long.x, "\b\u0301é"], ...worst.map((each): [string, string] => [long.x, each])],
      },
    );
  });

  test("for any output, in any chunks", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(program, anyOutput), { maxLength: 50 }), (chunks) => expectLittleWork(chunks)),
      { numRuns: repetitions(400) },
    );
  });

  test("a program file", () => {
    expectLittleWork([readFileSync(process.execPath).subarray(0, 4_000_000).toString()]);
  });
});

const worst = [
  `\rx${csi("8000C")}${csi("1K")}`,
  `${csi("2J")}${csi("99B")}${csi("256G")}x`,
  `\n${csi("A")}`,
  `${csi("256G")}x\n`,
];

function csi(rest: string): string {
  return `\x1b[${rest}`;
}

function expectLittleWork(chunks: readonly string[]): void {
  let told = 0;
  const screen = new ScreenLines(() => {});
  const tell = (_: string, text: string): void => {
    told += text.length;
  };
  const live = { hasListeners: true, text: tell, move: tell };
  const stream = new TerminalStream("stdout", { screen, live, keepsColour: true });
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  screen.finish();
  const bytes = 1000 + Buffer.byteLength(chunks.join(""));
  expect(screen.work / bytes).toBeLessThan(stepsPerByte);
  expect(told / bytes).toBeLessThan(toldPerByte);
}
