import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type PythonValue, pythonLiteral } from "../../src/python/python-literal.ts";
import { oldestPython } from "../environment/pythons.ts";
import { unicodeText } from "../unicode-text.ts";

/** The literals' values in Python, printed in ASCII. */
function readBack(literals: readonly string[]): PythonValue[] {
  const program = "import ast, json, sys\nprint(json.dumps([ast.literal_eval(line) for line in sys.stdin]))";
  const input = literals.join("\n");
  return JSON.parse(execFileSync(oldestPython().path, ["-c", program], { input, encoding: "utf8" }));
}

test("Python reads every value as it was, lone surrogates and line separators among them", () => {
  const text = fc.oneof(unicodeText(), fc.string({ unit: "grapheme" }), fc.constant("\ud800\u2028'\"\\"));
  const { value } = fc.letrec<{ value: PythonValue }>((tie) => ({
    value: fc.oneof(
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(text, tie("value"), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  // One Python for all of them.
  const values = fc.sample(value, 500);
  expect(readBack(values.map(pythonLiteral))).toEqual(values);
});

test("a literal is one line of printable ASCII, so nothing takes part of it for a line of code", () => {
  fc.assert(fc.property(unicodeText(), (text) => /^[\x20-\x7e]*$/.test(pythonLiteral(text))));
});
