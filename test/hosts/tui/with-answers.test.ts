import fc from "fast-check";
import { expect, test } from "vitest";
import { type GivenAnswer, givenAnswer, withAnswers } from "../../../src/hosts/tui/blocks/with-answers.ts";
import { type OutputPart, outputOf } from "../../../src/output/output-part.ts";

const printed = (text: string): OutputPart => ({ type: "text", text });
const shown = (output: string, answers: readonly GivenAnswer[]) => outputOf(withAnswers([printed(output)], answers));

test("an answer is at its place, on the line of its question", () => {
  const answer = givenAnswer("Name: Ada", "Hello. ");
  expect(shown("Hello. Goodbye.\n", [answer])).toBe("Hello. Name: Ada\nGoodbye.\n");
});

test("with any output between answers, everything is in order", () => {
  const piece = fc.record({ said: fc.string({ maxLength: 200 }), told: fc.string({ maxLength: 5 }) });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.string(), (pieces, rest) => {
      let output = "";
      const answers: GivenAnswer[] = [];
      for (const { said, told } of pieces) {
        output += said;
        answers.push(givenAnswer(told, output));
      }
      const expected = pieces.map(({ said, told }) => `${said}${told}\n`).join("") + rest;
      expect(shown(output + rest, answers)).toBe(expected);
    }),
  );
});

test("an answer comes first when the text before it has been rewritten", () => {
  const answers = [givenAnswer("Name? Ada", "Hello.\n"), givenAnswer("Go? yes", "Hello.\n9%\n")];
  const expected = "Go? yes\nHello.\nName? Ada\n100%\ndone\n";
  expect(shown("Hello.\n100%\ndone\n", answers)).toBe(expected);
});

test("an answer before, between or after displays is shown, and no display is cut", () => {
  const display = (text: string): OutputPart => {
    const shownDisplay = { display: { displayId: null, text, parts: [] }, begins: undefined };
    return { type: "display", text: `${text}\n`, ...shownDisplay, whole: { start: 0, end: 0 } };
  };
  const parts = [display("<A>"), printed("Go? "), printed("went\n"), display("<B>")];
  const places = ["", "<A>\n", "<A>\nGo? went\n<B>\n"];
  const answered = withAnswers(
    parts,
    places.map((before, index) => givenAnswer(`answer ${index}`, before)),
  );
  expect(answered.filter(({ type }) => type === "display")).toEqual([parts[0], parts[3]]);
  expect(outputOf(answered)).toBe("answer 0\n<A>\nanswer 1\nGo? went\n<B>\nanswer 2\n");
});
