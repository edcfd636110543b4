import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../../../scripts/repository.mjs";
import { type Arrivals, channels, replay, type Step } from "./replay-transcript.ts";

const folder = inRepository("protocol/transcripts");

describe("a host produces the transcript's events, in any order of arrival of its bytes", () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".ndjson"))) {
    const lines = readFileSync(`${folder}/${file}`, "utf8").trimEnd().split("\n");
    const steps = lines.map((line): Step => JSON.parse(line));

    test(file, async () => {
      const toldByTranscript = story(steps);
      const saidByTranscript = steps.filter((step) => Object.keys(step).some((who) => who.startsWith("host"))).slice(1);
      const sameStory = fc.asyncProperty(arrivals, async (arrivals) => {
        const { told, said } = await replay(steps, arrivals);
        expect(said).toEqual(saidByTranscript);
        expect(like(story(told), toldByTranscript)).toEqual(toldByTranscript);
      });
      await fc.assert(sameStory, { numRuns: 30 });
    });
  }
});

const arrivals: fc.Arbitrary<Arrivals> = fc.record({
  turns: fc.array(fc.constantFrom(...channels), { maxLength: 30 }).map((turns) => [...turns, ...channels]),
  sizes: fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 10 }),
});

/** The caller's events: of cells, of the background, and answers to questions. Each list has its own order. */
function story(steps: readonly Step[]): readonly Step[][] {
  return ["event", "background", "returns", "calls", "called off"].map((kind) =>
    joinedText(steps.filter((step) => kind in step)),
  );
}

/** Text arrives in pieces of any size, which do not matter. */
function joinedText(told: readonly Step[]): Step[] {
  const result: Step[] = [];
  for (const step of told) {
    const text = textOf(step);
    const before = textOf(result.at(-1));
    if (text && before && text.name === before.name && text.kind === before.kind) {
      const { kind, ...joined } = { ...text, text: before.text + text.text };
      result[result.length - 1] = { [kind]: joined };
    } else result.push(step);
  }
  return result;
}

function textOf(
  step: Step | undefined,
): { readonly kind: string; readonly name: string; readonly text: string } | undefined {
  for (const [kind, value] of Object.entries(step ?? {})) {
    if (isObject(value) && typeof value.text === "string")
      return { ...(value as { name: string; text: string }), kind };
  }
  return undefined;
}

/** The actual value, with "*" wherever the transcript allows anything. */
function like(actual: unknown, expected: unknown): unknown {
  if (expected === "*") return "*";
  if (Array.isArray(actual) && Array.isArray(expected)) return actual.map((one, index) => like(one, expected[index]));
  if (isObject(actual) && isObject(expected)) {
    return Object.fromEntries(Object.entries(actual).map(([key, value]) => [key, like(value, expected[key])]));
  }
  return actual;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
