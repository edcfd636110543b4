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

/** The output with the answers where they were given, as terminals show them. One whose place has gone comes first. */
export function withAnswers(output: string, answers: readonly GivenAnswer[]): string {
  const isThere = ({ at, before }: GivenAnswer): boolean => output.slice(at - before.length, at) === before;
  const lost = answers.filter((answer) => !isThere(answer));
  let text = output;
  for (const { told, at } of answers.filter(isThere).reverse()) text = `${text.slice(0, at)}${told}\n${text.slice(at)}`;
  return lost.map(({ told }) => `${told}\n`).join("") + text;
}
