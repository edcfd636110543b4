import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { blanksToRemove, indentAfter, isComplete } from "../../../../src/hosts/tui/editor/python-input.ts";
import { newestPython } from "../../../environment/pythons.ts";

const programs = [
  "x = 1",
  "print('hello')",
  "for i in range(3):\n    print(i)\n",
  "if x:\n    pass\nelse:\n    pass\n",
  "def f(a,\n      b):\n    '''doc\n    string'''\n    return [a,\n            b]\n",
  "class C:\n    x = 1  # a comment: with a colon\n\n    def m(self):\n        return self\n",
  "with open('f') as f:\n    f.read()\n",
  "@decorated\ndef f():\n    pass\n",
  "try:\n    x\nexcept E:\n    y\nfinally:\n    z\n",
  "try: 1/0\nexcept E: x\nfinally: y\n",
  "try : x\nexcept (A, B) as e: y\n",
  "if x:\n    try: 1/0\n    except E: x\n",
  "try_ = 1",
  "x = (1 +\n     2)",
  "x = '''a\nb: c\n'''",
  'x = """it\'s ( a [ string"""',
  "s = 'it is # no comment ('",
  "x = 1 + \\\n    2",
  "d = {'a': [1, 2,\n     3]}",
  "# only a comment:",
  "async def f():\n    await g()\n",
  "lambda x: x",
  "x[1:2]",
  "a = 'é日本😀'",
  "r'\\'",
  "f'{x:>{10}}'",
  "while True: break",
  ")(",
  "f(]\n(",
  "x = (1,\n     2))\n(",
  "x = {'a': (1]\n",
  "f(1,\r\n  2)",
  "constructor = toString",
  "x = 1 + \\\r\n    2",
  "x = 1  # (",
  "x = ')'",
];

/** Python would wait for a blank line. */
const ranAtOnce = ["while True: break"];

/** Every program as it is typed: line by line. */
const typed = [...new Set(programs.flatMap(beginnings))];

function beginnings(program: string): string[] {
  const lines = program.split("\n");
  return lines.map((_, at) => lines.slice(0, at + 1).join("\n"));
}

test("Enter runs what Python would run, and continues where Python would continue", () => {
  const script = [
    "import codeop, json, sys, warnings",
    "warnings.simplefilter('ignore')",
    "def complete(text):",
    "    try: return codeop.compile_command(text) is not None",
    "    except (SyntaxError, ValueError): return True",
    "print(json.dumps([complete(text) for text in json.load(sys.stdin)]))",
  ].join("\n");
  const answer = execFileSync(newestPython().path, ["-c", script], { input: JSON.stringify(typed) });
  const python = JSON.parse(answer.toString()) as boolean[];
  const ours = typed.map(isComplete);
  expect(typed.filter((_, at) => ours[at] !== python[at])).toEqual(ranAtOnce);
});

describe("a backslash at the end of a line asks for the next one", () => {
  test.each<[text: string, complete: boolean]>([
    ["x = 1 + \\", false],
    ["x = 1 + \\\n", false],
    ["x = 1 + \\\r\n", false],
    ["x = 1 + \\\n    ", false],
    ["x = 1 + \\\r\n\t", false],
    ["if x:\n    y = 1 + \\\n        ", false],
    ["x = 1 + \\\n    2", true],
    ["x = 1 + \\\n    \n", true],
    ["x = 1  # \\", true],
    ["x = 1 + \\ ", true],
  ])("%j", (text, complete) => expect(isComplete(text)).toBe(complete));
});

describe("input that is not Python", () => {
  test.each<[text: string, complete: boolean]>([
    ["!ls (", true],
    ["%timeit f(", true],
    ["!ls \\", false],
    ["%%bash\nls", false],
    ["%%bash\nls\n", true],
    ["", true],
  ])("%j", (text, complete) => expect(isComplete(text)).toBe(complete));
});

describe("the next line begins", () => {
  test.each<[what: string, before: string, indent: string]>([
    ["further in after a colon", "if x:", "    "],
    ["further in inside of a block", "def f():\n    if x:", "        "],
    ["below the line before it", "if x:\n    y = 1", "    "],
    ["further out after return", "def f():\n    return 1", ""],
    ["further in after an opening bracket", "f(", "    "],
    ["below an argument", "f(\n    1,", "    "],
    ["at the margin inside of a long string", "if x:\n    s = '''a", ""],
    ["at the margin after a colon in a comment", "x = 1  # note:", ""],
    ["at the margin after a slice", "x[1:]", ""],
  ])("%s", (_what, before, indent) => expect(indentAfter(before)).toBe(indent));
});

test("Backspace deletes a whole indentation, and one character elsewhere", () => {
  expect(["x", "    ", "      ", "", "a    "].map(blanksToRemove)).toEqual([1, 4, 2, 1, 1]);
});
