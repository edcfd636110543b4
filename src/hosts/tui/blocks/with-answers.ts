import { type OutputPart, outputOf } from "../../../output/output-part.ts";

/** An answer to `input()`. */
export interface GivenAnswer {
  /** The question and the answer, safe to show. */
  readonly told: string;
  /** How much output there was at that time, in UTF-16 units, and its end. */
  readonly at: number;
  readonly before: string;
}

const rememberedEnd = 80;

export function givenAnswer(told: string, outputSoFar: string): GivenAnswer {
  return { told, at: outputSoFar.length, before: outputSoFar.slice(-rememberedEnd) };
}

/** The output with each answer at its place, as terminals show them. An answer whose place is gone comes first. */
export function withAnswers(parts: readonly OutputPart[], answers: readonly GivenAnswer[]): readonly OutputPart[] {
  if (answers.length === 0) return parts;
  const output = outputOf(parts);
  const isThere = ({ at, before }: GivenAnswer): boolean => output.slice(at - before.length, at) === before;
  const lost = answers.filter((answer) => !isThere(answer)).map(({ told }): OutputPart => line(told));
  const there = answers.filter(isThere).sort((one, other) => one.at - other.at);
  const shown: OutputPart[] = [];
  let at = 0;
  const addUpTo = (place: number): void => {
    while (there[0] !== undefined && there[0].at <= place) shown.push(line((there.shift() as GivenAnswer).told));
  };
  for (const part of parts) {
    addUpTo(at);
    let rest = part.text;
    // A question never comes inside a display.
    while (part.type === "text" && there[0] !== undefined && there[0].at <= at + rest.length) {
      const place = there[0].at - at;
      shown.push({ type: "text", text: rest.slice(0, place) });
      rest = rest.slice(place);
      at += place;
      addUpTo(at);
    }
    shown.push({ ...part, text: rest });
    at += rest.length;
  }
  addUpTo(Number.POSITIVE_INFINITY);
  return [...lost, ...shown];
}

const line = (told: string): OutputPart => ({ type: "text", text: `${told}\n` });
