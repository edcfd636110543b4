import { type OutputPart, outputOf } from "../../../output/output-part.ts";

/** What somebody answered to `input()`. */
export interface GivenAnswer {
  /** The question and the answer, as they may be shown. */
  readonly told: string;
  /** How much had been put out by then, in UTF-16 units, and the end of it. */
  readonly at: number;
  readonly before: string;
}

const rememberedEnd = 80;

export function givenAnswer(told: string, outputSoFar: string): GivenAnswer {
  return { told, at: outputSoFar.length, before: outputSoFar.slice(-rememberedEnd) };
}

/** An output with the answers where they were given, as terminals show them. One whose place has gone comes first. */
export function withAnswers(parts: readonly OutputPart[], answers: readonly GivenAnswer[]): readonly OutputPart[] {
  if (answers.length === 0) return parts;
  const output = outputOf(parts);
  const isThere = ({ at, before }: GivenAnswer): boolean => output.slice(at - before.length, at) === before;
  const lost = answers.filter((answer) => !isThere(answer)).map(({ told }): OutputPart => line(told));
  const there = answers.filter(isThere).sort((one, other) => one.at - other.at);
  const shown: OutputPart[] = [];
  let at = 0;
  for (const part of parts) {
    let rest = part.text;
    while (there[0] !== undefined && there[0].at <= at + rest.length && part.type === "text") {
      const { told, at: place } = there.shift() as GivenAnswer;
      shown.push({ type: "text", text: rest.slice(0, Math.max(0, place - at)) }, line(told));
      rest = rest.slice(Math.max(0, place - at));
      at = Math.max(at, place);
    }
    shown.push({ ...part, text: rest });
    at += rest.length;
  }
  return [...lost, ...shown, ...there.map(({ told }) => line(told))];
}

const line = (told: string): OutputPart => ({ type: "text", text: `${told}\n` });
