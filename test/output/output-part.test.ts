import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { KernelEvent } from "../../src/kernel/events.ts";
import type { Captured, CaptureOptions } from "../../src/output/capture.ts";
import { ExecutionCapture } from "../../src/output/execution-capture.ts";
import { lastParts, outputOf, piecesAt, placesIn } from "../../src/output/output-part.ts";
import { encodePng } from "../../src/output/pictures/png-encode.ts";
import { repetitions } from "../environment/variants.ts";
import { print, show } from "./events.ts";
import { noisePixels } from "./pictures/pictures.ts";

let png: string;
beforeAll(async () => {
  png = (await encodePng(noisePixels(2, 2))).toString("base64");
});

const figure = (alt: string, text = "<Figure>", displayId?: string, update = false): KernelEvent =>
  ({
    ...(show({ "image/png": png, ...(text !== "" && { "text/plain": text }) }, displayId, update) as KernelEvent &
      object),
    metadata: { "image/png": { alt } },
  }) as KernelEvent;
const raise: KernelEvent = { type: "error", name: "E", message: "", traceback: ["Traceback", "E: no"] };
const status = show({ "application/x-granary-status": { op: "read" } });

async function captured(events: readonly KernelEvent[], options: CaptureOptions = {}) {
  const capture = new ExecutionCapture(options);
  for (const event of events) await capture.take(event);
  const soFar = capture.parts;
  return { ...(await capture.finish()), soFar };
}

/** `before|[a]<Figure>|after`, with the alternative text of a picture before its text. */
function told({ parts }: Pick<Captured, "parts">): readonly string[] {
  return parts.map((part) => {
    if (part.type === "text") return part.text;
    if (part.type === "error") return `!${part.text}`;
    const [own] = part.display.parts;
    return `[${own?.type === "image" ? own.alt : own?.type}]${part.text}`;
  });
}

describe("output is in order", () => {
  test("a printed line that looks like the text of a figure stays a line", async () => {
    expect(told(await captured([figure("a"), print("middle\n"), print("<Figure>\n")]))).toEqual([
      "[a]<Figure>\n",
      "middle\n<Figure>\n",
    ]);
    expect(told(await captured([print("<Figure>\n"), figure("a"), print("end")]))).toEqual([
      "<Figure>\n",
      "[a]<Figure>\n",
      "end",
    ]);
  });

  test("figures with the same text, without text, and one after the other", async () => {
    const events = [figure("a"), figure("b"), print("open"), figure("c", ""), print("x\n"), figure("d", "")];
    expect(told(await captured(events))).toEqual(["[a]<Figure>\n", "[b]<Figure>\n", "open\n", "[c]", "x\n", "[d]"]);
  });

  test("values and exceptions, and a bar that continues while helpers report", async () => {
    const events = [print(" 10%"), status, print("\r100%\n"), show({ "application/json": [1] }), raise];
    expect(told(await captured(events))).toEqual(["[status]", "100%\n", "[json][1]\n", "!Traceback\nE: no\n"]);
  });

  test("text after a figure changes nothing above it, and colours are gone", async () => {
    const events = [print("ab"), figure("a"), print("\b\b\r\x1b[2A\x1b[31mred\x1b[0m\n")];
    expect(told(await captured(events))).toEqual(["ab\n", "[a]<Figure>\n", "red\n"]);
  });

  test("a figure that is updated stays where it was, and one that is out of reach comes last", async () => {
    const near = [print("1\n"), figure("a", "<A>", "id"), print("2\n"), figure("b", "<B>", "id", true), print("3\n")];
    expect(told(await captured(near))).toEqual(["1\n", "[b]<B>\n", "2\n3\n"]);
    const much = print("much\n".repeat(60_000));
    const far = await captured([figure("a", "<A>", "id"), much, figure("b", "<B>", "id", true)]);
    const parts = told(far);
    expect(parts).toHaveLength(2);
    expect(parts[0]).toMatch(/^<A>\nmuch\n[\s\S]*left out[\s\S]*much\n$/);
    expect(parts[1]).toBe("[b]<B>\n");
  });

  test("cleared output is gone", async () => {
    expect(told(await captured([print("1\n"), figure("a"), { type: "clear", wait: true }, figure("b")]))).toEqual([
      "[b]<Figure>\n",
    ]);
  });
});

describe("of an output that is too long", () => {
  const budget = { bytes: 60, headBytes: 20, lines: 8, lineBytes: 30 };
  const numbered = (count: number) => print(Array.from({ length: count }, (_, at) => `line ${at}\n`).join(""));

  test("figures in omitted text appear at its place", async () => {
    const events = [figure("first"), numbered(50), figure("a"), figure("b", ""), numbered(50), figure("last")];
    const output = await captured(events, { budget });
    const notice = expect.stringMatching(/^line 0\n… \d+ lines \(\d+ bytes\) left out …\n$/);
    expect(told(output)).toEqual([
      "[first]<Figure>\n",
      notice,
      "[a]",
      "[b]",
      expect.stringMatching(/^line 4\d\n/),
      "[last]<Figure>\n",
    ]);
  });

  test("a figure's position in the whole text is known", async () => {
    const { parts } = await captured([numbered(50), figure("a"), numbered(50)], { budget });
    const whole = Array.from({ length: 50 }, (_, at) => `line ${at}\n`).join("");
    const all = `${whole}<Figure>\n${whole}`;
    const shown = parts.flatMap((part) => (part.type === "display" ? part.display.parts : []));
    expect(piecesAt(placesIn(parts), { output: all, parts: shown, form: "whole" })).toEqual([whole, shown, whole]);
  });

  test("a traceback's place is known, in what is shown and in all of the text", async () => {
    const raised = { type: "error", name: "KeyError", message: "1", traceback: ["KeyError: 1"] } as const;
    const { parts, output } = await captured([numbered(50), print("KeyError: 1\n"), raised], { budget });
    const whole = `${Array.from({ length: 50 }, (_, at) => `line ${at}\n`).join("")}KeyError: 1\n`;
    const error = { text: "KeyError: 1\n", look: { kind: "error", coloured: null } };
    const places = placesIn(parts);
    expect(places.map((place) => place.raised)).toEqual(["KeyError"]);
    expect(piecesAt(places, { output: whole + error.text, parts: [], form: "whole" })).toEqual([whole, error]);
    expect(piecesAt(places, { output, parts: [], form: "shown" })).toEqual([
      expect.stringMatching(/KeyError: 1\n$/),
      error,
    ]);
  });
});

test("the joined texts of the parts are the output in order, for any output, also before the end", async () => {
  const text = fc.stringMatching(/^[ab<>\n]{0,12}$/);
  const name = fc.constantFrom("", "<Figure>", "a", "b\nb");
  const event = fc.oneof(
    text.map((printed) => ({ event: print(printed), alt: null })),
    fc.tuple(name, fc.nat()).map(([words, number]) => ({ event: figure(`${number}`, words), alt: `${number}` })),
    fc.constant({ event: status, alt: null }),
  );
  const budgets = fc.constantFrom({}, { bytes: 40, headBytes: 16, lines: 6, lineBytes: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 12 }), budgets, async (events, budget) => {
      const all = await captured(
        events.map((each) => each.event),
        { budget },
      );
      expect(outputOf(all.parts)).toBe(all.output);
      const alts = all.displays.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === "image" ? [part.alt] : [])),
      );
      expect(alts).toEqual(events.flatMap(({ alt }) => (alt === null ? [] : [alt])));
      expect(told({ parts: all.soFar })).toEqual(told(all));
      const shown = all.displays.flatMap(({ parts }) => parts);
      const pieces = piecesAt(placesIn(all.parts), { output: all.output, parts: shown, form: "shown" });
      expect(pieces.flatMap((piece) => (Array.isArray(piece) ? piece : []))).toEqual(shown);
    }),
    { numRuns: repetitions(200) },
  );
});

test("the last parts have every display, and the end of the text", async () => {
  const { parts } = await captured([print("first\n"), figure("a"), print("second\n"), figure("b"), print("third\n")]);
  expect(told({ parts: lastParts(parts, 18) })).toEqual(["[a]", "nd\n", "[b]<Figure>\n", "third\n"]);
});
