import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseNotebook } from "../../../../src/notebook/parse/parse-notebook.ts";
import { newestPython } from "../../../environment/pythons.ts";
import { repetitions } from "../../../environment/variants.ts";
import { notebookText, shownBy } from "../../../execute/notebook-runs.ts";
import { py } from "../../../kernel/py.ts";
import { judgeEach, pythonWith } from "../../../notebook/python-nbformat.ts";
import { folder, notebook, notebookJson, typed } from "./notebook-command.ts";

let last = 0;

function notebookFile(cells: Parameters<typeof notebookText>[0]): string {
  const file = `parameters${++last}.ipynb`;
  writeFileSync(join(folder, file), notebookText(cells));
  return file;
}

const tagged = (source: string) => ({ source, metadata: { tags: ["parameters"] } });

/** Values as Python receives them, by `repr`: `nan` equals nothing, but its name does. */
async function arrives(options: readonly string[], names: readonly string[]): Promise<readonly string[]> {
  const file = notebookFile([tagged(""), `print([repr(each) for each in [${names.join(", ")}]])`]);
  const { stderr, exitCode } = await notebook(["run", file, ...options, "-o", "arrived.ipynb"]);
  expect({
    exitCode,
    stderr: stderr.replace(/^granary: Passed unknown.*\n/gm, "").match(/failed[\s\S]*/)?.[0],
  }).toEqual({
    exitCode: 0,
    stderr: undefined,
  });
  const [shown = ""] = shownBy(join(folder, "arrived.ipynb")).at(-1) ?? [];
  return judgeEach<string[]>(newestPython().path, "import ast", "ast.literal_eval(text)", [shown.slice(8)])[0] ?? [];
}

/** papermill's rules, as Python code. */
const rules = py`
  def resolve(text):
      if text in ("True", "False", "None"):
          return {"True": True, "False": False, "None": None}[text]
      for kind in (int, float):
          try:
              return kind(text)
          except ValueError:
              pass
      return text
`;

const written = [
  "True",
  "False",
  "None",
  "true",
  "TRUE",
  "false",
  "null",
  "none",
  "yes",
  "0",
  "7",
  "-7",
  "+7",
  "007",
  "-0",
  "1_000",
  "1__0",
  "_1",
  "1_",
  "0x10",
  "0b1",
  "1e3",
  "1E3",
  "1e-3",
  "1e+3",
  ".5",
  "5.",
  "-.5",
  "+5.",
  "0.1",
  "1.0",
  "-0.0",
  "1_0.5_0",
  "1e5_0",
  "1.5e",
  "e5",
  ".",
  "-",
  "+",
  "1,5",
  "1 000",
  " 5 ",
  "\t5\n",
  "5 5",
  "1e400",
  "-1e400",
  "1e-400",
  "NaN",
  "nan",
  "-nan",
  "inf",
  "-inf",
  "+inf",
  "Infinity",
  "-INFINITY",
  "infinit",
  "9007199254740993",
  "123456789012345678901234567890",
  "٣",
  "１２",
  "١.٥",
  "𝟙𝟚",
  "1٣",
  "²",
  "½",
  '"quoted"',
  "'quoted'",
  '""',
  "",
  " ",
  "[1, 2]",
  '{"a": 1}',
  "a b",
  "a=b",
  "back\\slash",
  "two\nlines",
  'quo"te',
  "it's",
  "ünï 🌾",
  "%x",
  "{x}",
  "$HOME",
  "# no",
  "\\n",
  "None ",
  "1j",
];

describe("-p NAME VALUE is typed as papermill types it", () => {
  test("for usual values", async () => {
    const names = written.map((_, index) => `p${index}`);
    const options = written.flatMap((text, index) => ["-p", names[index] as string, text]);
    const expected = judgeEach<string>(newestPython().path, rules, "repr(resolve(text))", written);
    expect(await arrives(options, names)).toEqual(expected);
  });

  test("for random text", async () => {
    const characters = [
      ..."0123456789",
      ..."+-._eE",
      "n",
      "a",
      "i",
      "f",
      " ",
      "\u00a0",
      "\u0085",
      "\u001c",
      "\ufeff",
      "٣",
      "５",
      "x",
      '"',
    ];
    const texts = fc.sample(fc.string({ unit: fc.constantFrom(...characters), maxLength: 7 }), {
      numRuns: repetitions(400),
      seed: 7,
    });
    const names = texts.map((_, index) => `p${index}`);
    const options = texts.flatMap((text, index) => ["--parameters", names[index] as string, text]);
    const expected = judgeEach<string>(newestPython().path, rules, "repr(resolve(text))", texts);
    expect(await arrives(options, names)).toEqual(expected);
  });

  test("an integer with more digits than Python reads is a float, as in papermill", async () => {
    expect(
      await arrives(["-p", "n", "1".repeat(4301), "-p", "m", "1".repeat(400)], ["n", "m == int('1' * 400)"]),
    ).toEqual(["inf", "True"]);
  });
});

describe("parameters", () => {
  test("NAME=VALUE works the same, and also takes JSON", async () => {
    const options = [
      "-p",
      "a=.5",
      "-pb=1_000",
      "--param=c=true",
      "-p",
      'd=[1.0, {"k": null, "n": NaN}]',
      "-p",
      'e="x"',
      "-p",
      "f=[1",
    ];
    expect(await arrives(options, [..."abcdef"])).toEqual([
      "0.5",
      "1000",
      "True",
      "[1.0, {'k': None, 'n': nan}]",
      `'"x"'`,
      "'[1'",
    ]);
  });

  test("-r is always text", async () => {
    expect(await arrives(["-r", "a", "1", "-r", "b=True", "--parameters_raw", "c", "-5"], ["a", "b", "c"])).toEqual([
      "'1'",
      "'True'",
      "'-5'",
    ]);
  });

  test("a later kind wins over an earlier one, in any position: base64, file, YAML, typed, raw", async () => {
    writeFileSync(join(folder, "given.yaml"), "b: file\nc: file\nd: file\ne: file\n");
    const base64 = Buffer.from("{a: base, b: base, c: base, d: base, e: base}").toString("base64");
    const options = [
      "-r",
      "e",
      "raw",
      "-p",
      "d",
      "typed",
      "-p",
      "e",
      "typed",
      "-y",
      "{c: yaml, d: yaml, e: yaml}",
      "-f",
      "given.yaml",
      "-b",
      base64,
    ];
    expect(await arrives(options, [..."abcde"])).toEqual(["'base'", "'file'", "'yaml'", "'typed'", "'raw'"]);
  });

  test("a JSON file keeps its numbers, including long ones and those without a point", async () => {
    writeFileSync(
      join(folder, "given.json"),
      '{"a": 1e3, "b": 123456789012345678901234567890, "c": [NaN, -Infinity, 1.0], "text": "t"}',
    );
    expect(await arrives(["-f", "given.json"], ["a", "b", "c", "text"])).toEqual([
      "1000.0",
      "123456789012345678901234567890",
      "[nan, -inf, 1.0]",
      "'t'",
    ]);
  });

  const yamlPython = pythonWith("yaml");
  test.skipIf(yamlPython === null)("YAML is read as PyYAML reads it, with dates as text", async () => {
    const values = [
      "yes",
      "No",
      "on",
      "OFF",
      "y",
      "n",
      "true",
      "~",
      "null",
      "",
      "1",
      "-1",
      "010",
      "0o10",
      "0x1F",
      "0b101",
      "1_000",
      "1:30",
      "190:20:30",
      "08",
      "1.5",
      ".5",
      "+.5",
      "5.",
      "1e3",
      "1.0e+3",
      "1.0e3",
      "1:30.5",
      ".inf",
      "-.INF",
      ".nan",
      "2020-01-02",
      "2020-01-02 03:04:05",
      "123456789012345678901234567890",
      "text",
      "'quoted'",
      '"two\\nlines"',
      "[1, [two, 3.0], {a: ~}]",
      "{2: a, true: b, ~: c, x: d}",
      "!!str 5",
      "!!float 3",
      "!!int '7'",
      "0",
      "-0",
      "+5",
      "=x",
      "a: b".replace(": ", ":"),
    ];
    const document = (value: string) => `v: ${value}`;
    const setUp = py`
      import yaml
      class NoDates(yaml.SafeLoader):
          yaml_implicit_resolvers = {
              first: [each for each in kinds if each[0] != "tag:yaml.org,2002:timestamp"]
              for first, kinds in yaml.SafeLoader.yaml_implicit_resolvers.items()
          }
      def texts_as_keys(value):
          if isinstance(value, dict):
              return {str(key): texts_as_keys(item) for key, item in value.items()}
          return [texts_as_keys(item) for item in value] if isinstance(value, list) else value
    `;
    const judge = 'repr(texts_as_keys(yaml.load(text, Loader=NoDates)["v"]))';
    const expected = judgeEach<string>(yamlPython as string, setUp, judge, values.map(document));
    const names = values.map((_, index) => `p${index}`);
    const options = values.flatMap((value, index) => ["-y", `p${index}: ${value}`]);
    expect(await arrives(options, names)).toEqual(expected);
  });

  test.each([
    [["-y", "[1, 2]"], "The text of --param-yaml has no names: it must be a mapping"],
    [["-y", "{a: "], "The text of --param-yaml is not YAML: "],
    [["-y", `a: ${"[".repeat(5000)}`], "The text of --param-yaml is "],
    [["-f", "nowhere.yaml"], "The parameters in nowhere.yaml cannot be read: it does not exist."],
    [["-p", "n"], '-p takes NAME VALUE or NAME=VALUE, as in -p n 10; got "n"'],
    [["-r"], '-r takes NAME VALUE or NAME=VALUE, as in -r n 10; got ""'],
    [["-p", "not a name", "1"], '"not a name" cannot be a parameter'],
  ])("refuses %j", async (options, sentence) => {
    const { stderr, exitCode } = await notebook(["run", notebookFile(["1"]), ...options]);
    expect(stderr).toContain(sentence);
    expect(exitCode).toBe(2);
  });

  test("a parameter that the tagged cell does not assign is reported", async () => {
    const file = notebookFile([
      tagged("region: str = 'a'\nn = 1  # how many\na, b = 1, 2\nif n: c = 3"),
      "print(region)",
    ]);
    const { stderr, exitCode } = await notebook([
      "run",
      file,
      ..."n 2 a 3 b 4 c 5 region x".split(" ").flatMap((word, at) => (at % 2 === 0 ? ["-p", word] : [word])),
    ]);
    expect({ exitCode, unknown: stderr.includes("unknown") }).toEqual({ exitCode: 0, unknown: false });
    const { document } = await notebookJson(["run", file, "-p", "regoin", "north"]);
    expect(document.notices).toEqual([
      'Passed unknown parameter: regoin. The cell with the tag "parameters" does not assign it. Did you mean region?',
    ]);
  });

  test("--help-notebook lists parameters, with types and defaults", async () => {
    const file = notebookFile([
      tagged(py`
        # All of them.
        region: str = "north"  # which one
        n = 1_000; share = .5
        names = [  # not this
            "a, # b",
        ]  # whom
        options: "Dict[str, int]" = {}
        since = None  # type: date the first day
        limit = n * 2
        x = y = True
        if n == 1:
            hidden = 1
      `),
    ]);
    const { stdout, exitCode } = await notebook(["run", file, "--help-notebook"]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      `Usage: granary notebook run ${file} -p NAME VALUE...\n\nParameters inferred for notebook '${file}':\n` +
        [
          '  region: str (default "north")   which one',
          "  n: int (default 1_000)",
          "  share: float (default .5)",
          '  names: list (default [ "a, # b", ]) whom',
          "  options: Dict[str, int] (default {})",
          "  since: date (default None)      the first day",
          "  limit: Unknown type (default n * 2)",
          "  x: bool (default True)",
          "  y: bool (default True)",
          "",
        ].join("\n"),
    );
    const untagged = await notebook(["run", notebookFile(["n = 1"]), "--help-notebook"]);
    expect(untagged).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("No cell tagged 'parameters'") });
  });
});

describe("standard input and output", () => {
  const leftovers = () =>
    readdirSync(tmpdir()).filter((name) => name.startsWith("granary-notebook-") && !name.includes("cli"));

  test("a notebook from standard input goes to standard output, and nothing else does", async () => {
    const before = leftovers();
    const text = notebookText([tagged("n = 1"), "import os\nprint(n, os.getcwd())"]);
    const { stdout, stderr, exitCode } = await notebook(["run", "-", "-p", "n", "5"], typed(text));
    expect(exitCode).toBe(0);
    const outputs = parseNotebook(Buffer.from(stdout)).cells.at(-1)?.outputs;
    expect(outputs).toMatchObject([{ text: [`5 ${folder}\n`] }]);
    expect(stderr).toMatch(/Ran 3 cells in \d+\.\d s\.\n$/);
    expect(leftovers()).toEqual(before);
  });

  test("a failed run still writes its results", async () => {
    const { stdout, stderr, exitCode } = await notebook(
      ["run", "-", "-o", "-"],
      typed(notebookText(["print(1)", "1 / 0"])),
    );
    expect(exitCode).toBe(1);
    expect(parseNotebook(Buffer.from(stdout)).cells.map(({ outputs }) => outputs.length)).toEqual([1, 1]);
    expect(stderr).toContain("ZeroDivisionError");
  });

  test("each of them can be replaced by a file", async () => {
    const file = notebookFile(["print(1)"]);
    const bytes = readFileSync(join(folder, file));
    const { stdout } = await notebook(["run", file, "-o", "-"]);
    expect(parseNotebook(Buffer.from(stdout)).cells[0]?.outputs).toMatchObject([{ text: ["1\n"] }]);
    expect(readFileSync(join(folder, file))).toEqual(bytes);
    await notebook(["run", "-", "-o", "from-stdin.ipynb"], typed(bytes.toString()));
    expect(shownBy(join(folder, "from-stdin.ipynb"))).toEqual([["stdout: 1\n"]]);
    expect(existsSync(join(folder, "-"))).toBe(false);
  });

  test.each([
    [["-", "--json"], "cannot both go to standard output"],
    [["-", "a.ipynb"], "are for one notebook"],
  ])("refuses %j", async (args, sentence) => {
    const { stderr, exitCode } = await notebook(["run", ...args], typed(notebookText(["1"])));
    expect({ exitCode, told: stderr.includes(sentence) }).toEqual({ exitCode: 2, told: true });
  });
});
