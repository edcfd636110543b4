import fc from "fast-check";
import { expect, test } from "vitest";
import { type GivenAnswer, givenAnswer, withAnswers } from "../../../src/hosts/tui/blocks/with-answers.ts";

test("an answer is where it was given, on the line of its question", () => {
  const answer = givenAnswer("Name: Ada", "Hello. ");
  expect(withAnswers("Hello. Goodbye.\n", [answer])).toBe("Hello. Name: Ada\nGoodbye.\n");
});

test("whatever is printed between answers, all of it is in order", () => {
  const piece = fc.record({ printed: fc.string({ maxLength: 200 }), told: fc.string({ maxLength: 5 }) });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.string(), (pieces, rest) => {
      let output = "";
      const answers: GivenAnswer[] = [];
      for (const { printed, told } of pieces) {
        output += printed;
        answers.push(givenAnswer(told, output));
      }
      const expected = pieces.map(({ printed, told }) => `${printed}${told}\n`).join("") + rest;
      expect(withAnswers(output + rest, answers)).toBe(expected);
    }),
  );
});

test("an answer comes first when what was before it has been rewritten", () => {
  const answers = [givenAnswer("Name? Ada", "Hello.\n"), givenAnswer("Go? yes", "Hello.\n9%\n")];
  const expected = "Go? yes\nHello.\nName? Ada\n100%\ndone\n";
  expect(withAnswers("Hello.\n100%\ndone\n", answers)).toBe(expected);
});
