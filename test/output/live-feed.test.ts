import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LiveEvent } from "../../src/output/live-feed.ts";
import { Sink, type SinkOptions } from "../../src/output/sink.ts";
import { asSeen, terminalOracle } from "./terminal/terminal-oracle.ts";
import { terminalOutput } from "./terminal/terminal-output.ts";

describe("listeners", () => {
  test("get events in order, batched for a while", () => {
    const { sink, clock } = watched();
    const seen = listenTo(sink);
    sink.write("a", "stdout");
    sink.write("b\n", "stdout");
    sink.write("warning\n", "stderr");
    sink.write("c\n", "stdout");
    sink.writeBlock("table", { slot: "s" });
    sink.update("s", "new table");
    sink.clear({ wait: false });
    expect(seen).toEqual([]);
    clock.tick();
    expect(seen).toEqual([
      { type: "text", name: "stdout", text: "ab\n" },
      { type: "text", name: "stderr", text: "warning\n" },
      { type: "text", name: "stdout", text: "c\n" },
      { type: "block", text: "table\n", slot: "s" },
      { type: "update", text: "new table\n", slot: "s" },
      { type: "clear" },
    ]);
    clock.tick();
    expect(seen).toHaveLength(6);
  });

  test("see bars move, without anything that could harm a terminal", () => {
    const { sink, clock } = watched();
    const seen = listenTo(sink);
    sink.write(
      "\x1b]0;title\x07\x1b[31mone\x1b[0m\n\r 50%\x1b[K\b\x1b[A\x1b[999Atop\u202e\x1b[6n\x1b[?1049h",
      "stdout",
    );
    clock.tick();
    expect(textOf(seen)).toBe("one\n\r 50%\x1b[0K\b\x1b[1Atop<U+202E>");
  });

  test("get plain text, and cursor movements separately", () => {
    const { sink, clock } = watched();
    const seen = listenTo(sink);
    sink.write("\x1b[31ma\x1b[0m\r 50%\x1b[K\b\x1b]0;title\x07\u200bc\n", "stdout");
    clock.tick();
    const name = "stdout";
    expect(seen).toEqual([
      { type: "text", name, text: "a" },
      { type: "move", name, sequence: "\r" },
      { type: "text", name, text: " 50%" },
      { type: "move", name, sequence: "\x1b[0K\b" },
      { type: "text", name, text: "<U+200B>c\n" },
    ]);
    sink.write("bar\r", "stdout");
    expect(listenTo(sink)).toEqual([
      { type: "so-far", text: " 50<U+200B>c\nbar" },
      { type: "move", name, sequence: "\x1b[1G" },
    ]);
  });

  test("get colours if requested, and nothing stays coloured", async () => {
    const { sink } = watched({ colour: "keep" });
    const seen = listenTo(sink);
    sink.write("\x1b[1;31mred\x1b[?25l\x1b[m \x1b[>4;1m\x1b[32mgreen", "stdout");
    const { text } = await sink.dump();
    expect(textOf(seen)).toBe("\x1b[1;31mred\x1b[m \x1b[32mgreen\x1b[0m");
    expect(text).toBe("red green");
  });

  test("do not wait for the end of a flood", () => {
    const { sink } = watched();
    const seen = listenTo(sink);
    for (let count = 0; count < 100; count++) sink.write("some line\n".repeat(1000), "stdout");
    expect(textOf(seen).length).toBeGreaterThan(700_000);
  });

  test("have everything when the output has ended", async () => {
    const { sink } = watched();
    const seen = listenTo(sink);
    sink.write("last words", "stdout");
    await sink.dump();
    expect(textOf(seen)).toBe("last words");
  });

  test("may fail without harm to the others", () => {
    const { sink, clock } = watched();
    sink.listen(() => {
      throw new Error("not today");
    });
    const seen = listenTo(sink);
    sink.write("text\n", "stdout");
    clock.tick();
    expect(textOf(seen)).toBe("text\n");
  });

  test("may leave, and then cost nothing", () => {
    const { sink, clock } = watched();
    const seen: LiveEvent[] = [];
    const leave = sink.listen((event) => seen.push(event));
    leave();
    sink.write("text\n", "stdout");
    expect(clock.isSet).toBe(false);
    expect(seen).toEqual([]);
  });

  test("and come late begin with the visible text, and miss nothing after it", () => {
    const { sink, clock } = watched({ budget: { bytes: 20, headBytes: 10, lines: 4, lineBytes: 10 } });
    const early = listenTo(sink);
    for (let number = 1; number <= 500; number++) sink.write(`${number}\n`, "stdout");
    const late = listenTo(sink);
    sink.write("501\n", "stdout");
    clock.tick();
    expect(late).toEqual([
      { type: "so-far", text: "1\n2\n… 496 lines (1,880 bytes) left out …\n499\n500\n" },
      { type: "text", name: "stdout", text: "501\n" },
    ]);
    expect(textOf(early).trimEnd().split("\n")).toEqual(Array.from({ length: 501 }, (_, at) => `${at + 1}`));
  });
});

test("a terminal that is shown the live stream, from the start or from the middle, ends up with the same text", async () => {
  const size = { rows: 100, columns: 300 };
  const seen = terminalOracle(size);
  await fc.assert(
    fc.asyncProperty(terminalOutput, terminalOutput, async (before, after) => {
      const { sink } = watched();
      const early = listenTo(sink);
      sink.write(before, "stdout");
      const late = listenTo(sink);
      sink.write(after, "stderr");
      const shown = asSeen((await sink.dump()).text);
      expect(await seen(textOf(early))).toBe(shown);
      expect(await seen(textOf(late))).toBe(shown);
    }),
    { numRuns: 100 },
  );
});

function watched(options: SinkOptions = {}) {
  let task: (() => void) | undefined;
  const clock = {
    get isSet() {
      return task !== undefined;
    },
    tick: () => task?.(),
  };
  const later = (next: () => void) => {
    task = next;
    return () => {
      task = undefined;
    };
  };
  return { sink: new Sink({ ...options, later }), clock };
}

function listenTo(sink: Sink): LiveEvent[] {
  const seen: LiveEvent[] = [];
  sink.listen((event) => seen.push(event));
  return seen;
}

/** The output for a terminal. */
const textOf = (events: readonly LiveEvent[]): string =>
  events.map((event) => ("text" in event ? event.text : "sequence" in event ? event.sequence : "")).join("");
