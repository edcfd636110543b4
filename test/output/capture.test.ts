import { describe, expect, test } from "vitest";
import type { KernelEvent, MimeBundle } from "../../src/kernel/events.ts";
import type { Live } from "../../src/output/capture.ts";
import { ExecutionCapture } from "../../src/output/execution-capture.ts";
import { encodePng } from "../../src/output/pictures/png-encode.ts";
import { ArtifactInMemory } from "./artifact-in-memory.ts";
import { print, show } from "./events.ts";
import { noisePixels } from "./pictures/pictures.ts";

async function captured(...events: readonly KernelEvent[]) {
  const capture = new ExecutionCapture();
  for (const event of events) await capture.take(event);
  return capture.finish();
}

describe("the output of an execution", () => {
  test("is text in the order it came, and displays beside it", async () => {
    const { output, displays, truncation } = await captured(
      print("a\n"),
      show({ "application/json": { b: 1 } }),
      print("c\n"),
    );
    expect(output).toBe('a\n{ "b": 1 }\nc\n');
    expect(displays).toEqual([{ displayId: null, text: '{ "b": 1 }', parts: [{ type: "json", value: { b: 1 } }] }]);
    expect(truncation).toBeNull();
  });

  test("has a container on one line, where its text has one for each item", async () => {
    const data = { "text/plain": "[1,\n 2]" };
    const event = { type: "result", data, metadata: {}, line: "[1, 2]", executionCount: 1 } as const;
    expect((await captured(event)).output).toBe("[1, 2]\n");
  });

  test("shows a display in its last version, and nothing of what was cleared", async () => {
    const updated = await captured(
      show({ "application/json": 1 }, "bar"),
      show({ "application/json": 2 }, "bar", true),
    );
    expect(updated).toMatchObject({ output: "2\n", displays: [{ displayId: "bar", parts: [{ value: 2 }] }] });
    const cleared = await captured(show({ "application/json": 1 }), { type: "clear", wait: true }, print("new\n"));
    expect(cleared).toMatchObject({ output: "new\n", displays: [] });
  });

  test("has exceptions frame by frame, beside the text", async () => {
    const traceback = [
      "Traceback (most recent call last):",
      '  File "<cell 1>", line 2, in <module>',
      "    half(1)",
      '  File "/project/maths.py", line 7, in half',
      "    return n / 0",
      "ZeroDivisionError: division by zero",
    ];
    const { output, exceptions } = await captured({ type: "error", name: "ZeroDivisionError", message: "", traceback });
    expect(output).toBe(`${traceback.join("\n")}\n`);
    expect(exceptions).toEqual([
      {
        name: "ZeroDivisionError",
        message: "division by zero",
        link: null,
        frames: [
          { file: "<cell 1>", line: 2, function: "<module>", source: "half(1)", kind: "cell" },
          { file: "/project/maths.py", line: 7, function: "half", source: "return n / 0", kind: "user" },
        ],
      },
    ]);
  });

  test("has a sentence of ours on a line of its own", async () => {
    const capture = new ExecutionCapture();
    capture.take(print("half a line"));
    await capture.note("Stopped.");
    expect((await capture.finish()).output).toBe("half a line\nStopped.\n");
  });

  test("attaches twenty pictures, and no more", async () => {
    const picture = (await encodePng(noisePixels(2, 2))).toString("base64");
    const { displays } = await captured(...Array.from({ length: 22 }, () => show({ "image/png": picture })));
    const types = displays.flatMap(({ parts }) => parts.map(({ type }) => type));
    expect(types).toEqual([...Array(20).fill("image"), "kept", "kept"]);
  });

  describe("in displays of 16 million characters at most, all of a cell together, and the newest of them:", () => {
    const most = 16_000_000;
    const number = (at: number): string => String(at).padStart(8, "0");
    const kinds: Record<string, (at: number) => MimeBundle> = {
      texts: (at) => ({ "text/plain": `${number(at)}${"x".repeat(99_992)}` }),
      values: (at) => ({ "application/json": { at: number(at), filler: Array(5_000).fill("a filler of 20 chars") } }),
    };
    for (const [kind, make] of Object.entries(kinds)) {
      test(kind, async () => {
        const { displays } = await captured(...Array.from({ length: 200 }, (_, at) => show(make(at))));
        expect(displays.length).toBeGreaterThan(10);
        expect(JSON.stringify(displays).length).toBeLessThan(1.2 * most);
        const kept = displays.map((display) => Number(/0\d{7}/.exec(JSON.stringify(display))?.[0]));
        expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => 200 - kept.length + at));
      });
    }

    test("displays that grow with an update", async () => {
      const ids = Array.from({ length: 200 }, (_, at) => `id-${at}`);
      const small = ids.map((id) => show({ "text/plain": "small" }, id));
      const grown = ids.map((id, at) => show(kinds.texts?.(at) ?? {}, id, true));
      const { displays } = await captured(...small, ...grown);
      const characters = displays.reduce((sum, { text }) => sum + text.length, 0);
      expect(characters).toBeLessThanOrEqual(most);
      expect(displays.at(-1)).toMatchObject({ displayId: "id-199", text: expect.stringMatching(/^00000199/) });
    });

    test("displays that were cleared do not count", async () => {
      const half = Array.from({ length: 100 }, (_, at) => show(kinds.texts?.(at) ?? {}));
      const { displays } = await captured(...half, { type: "clear", wait: false }, ...half);
      expect(displays.length).toBe(100);
    });
  });

  test("is in an artifact, whose address is known as soon as something is left out", async () => {
    const artifact = new ArtifactInMemory();
    const save = async () => ({ kept: false, reason: "not needed here" }) as const;
    const capture = new ExecutionCapture({
      budget: { bytes: 1024, headBytes: 100 },
      artifacts: { open: () => artifact, save },
    });
    await capture.take(print("short\n"));
    expect(capture.artifact).toBeNull();
    await capture.take(print("long\n".repeat(40_000)));
    expect(capture.artifact).toBe("artifact://test-1");
    const { truncation } = await capture.finish();
    expect(truncation).toMatchObject({ artifact: "artifact://test-1", totalLines: 40_001 });
    expect(artifact.text).toBe(`short\n${"long\n".repeat(40_000)}`);
  });
});

test("listeners get a display after the text that was printed before it", async () => {
  const capture = new ExecutionCapture();
  const told: Live[] = [];
  capture.listen((event) => told.push(event));
  await capture.take(print("before\n"));
  await capture.take(show({ "application/x-granary-status": { op: "read" } }));
  await capture.take(print("after\n"));
  await capture.finish();
  expect(told.map((event) => (event.type === "text" ? event.text : event.type))).toEqual([
    "before\n",
    "display",
    "after\n",
  ]);
});
