import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { CellTextTokenizer } from "../../src/view/highlight/cell-text.ts";
import { diffTokenizer } from "../../src/view/highlight/diff.ts";
import { highlight, languageOfFile } from "../../src/view/highlight/highlight.ts";
import { jsonTokenizer } from "../../src/view/highlight/json.ts";
import { MarkdownSourceTokenizer } from "../../src/view/highlight/markdown-source.ts";
import { PythonTokenizer } from "../../src/view/highlight/python.ts";
import { ShellTokenizer } from "../../src/view/highlight/shell.ts";
import type { Token, Tokenizer } from "../../src/view/highlight/token.ts";
import { plainTheme } from "../../src/view/theme/theme.ts";
import { newestPython, oldestPython } from "../environment/pythons.ts";
import { dark256 } from "./samples.ts";

/** `import os` → `keyword:import | os` */
function say(tokenizer: Tokenizer, code: string): readonly string[] {
  return code.split("\n").map((line) => tokenizer.line(line).map(sayToken).join(" | "));
}

const sayToken = ({ kind, text }: Token): string => (kind === null ? text.trim() : `${kind}:${text.trim()}`);

describe("Python", () => {
  test.each([
    ["the oldest", oldestPython],
    ["the newest", newestPython],
  ])("strings, comments, numbers and keywords are where %s Python's own tokenizer finds them", (_, python) => {
    const modules = ["textwrap", "dataclasses", "json.decoder", "string", "statistics", "tokenize"];
    const script = inRepository("test/view/token_kinds.py");
    const found = execFileSync(python().path, [script, ...modules], { encoding: "utf8", maxBuffer: 2 ** 26 });
    for (const { lines, kinds } of JSON.parse(found) as { lines: string[]; kinds: string[] }[]) {
      const tokenizer = new PythonTokenizer();
      const ours = lines.map((line) => tokenizer.line(line).map(lettersOf).join(""));
      const wrong = lines.flatMap((line, at) =>
        ours[at] === kinds[at] ? [] : [{ line, ours: ours[at], is: kinds[at] }],
      );
      expect(wrong).toEqual([]);
    }
  });

  test("names, decorators and built-ins", () => {
    expect(
      say(new PythonTokenizer(), "@cache\nclass Point(object):\n  def norm(self): return len(self.print)"),
    ).toEqual([
      "decorator:@cache",
      "keyword:class |  | definition:Point | ( | builtin:object | ):",
      " | keyword:def |  | definition:norm | ( | builtin:self | ): | keyword:return |  | builtin:len | ( | builtin:self | .print)",
    ]);
  });

  test("match is a keyword where it begins a statement, and a name elsewhere", () => {
    expect(say(new PythonTokenizer(), "match point:\n  case (0, y):  # axis\nmatch = re.match(x)")).toEqual([
      "keyword:match | point:",
      " | keyword:case | ( | number:0 | , y): | comment:# axis",
      "match = re.match(x)",
    ]);
  });

  test("strings with every prefix, over several lines, and unclosed ones", () => {
    expect(say(new PythonTokenizer(), "rb'\\'' + f\"{x}\" + u'''a\nb''' + 1\ny = 'open\nz")).toEqual([
      "string:rb'\\'' | + | string:f\"{x}\" | + | string:u'''a",
      "string:b''' | + | number:1",
      "y = | string:'open",
      "z",
    ]);
    expect(say(new PythonTokenizer(), "'a\\\nb' + c")).toEqual(["string:'a\\", "string:b' | + c"]);
  });

  test("magics, commands and cells in another language", () => {
    expect(say(new PythonTokenizer(), "%timeit f()\n!ls -l\nx % y")).toEqual([
      "decorator:%timeit | string:f()",
      "decorator:! | string:ls -l",
      "x % y",
    ]);
    expect(say(new PythonTokenizer(), '%%bash\nfor f in *; do echo "$f"; done # all')).toEqual([
      "decorator:%%bash",
      'keyword:for | f | keyword:in | *; | keyword:do | echo | string:"$f" | ; | keyword:done |  | comment:# all',
    ]);
    expect(say(new PythonTokenizer(), "%%time\nimport os")[1]).toBe("keyword:import | os");
    expect(say(new PythonTokenizer(), "%%html\nimport <b>")[1]).toBe("import <b>");
  });
});

describe("other languages", () => {
  test("JSON", () => {
    expect(say(jsonTokenizer, '{"a\\"b": [1.5e3, true, "x"], "open')).toEqual([
      '{ | key:"a\\"b" | : [ | number:1.5e3 | , | keyword:true | , | string:"x" | ], | string:"open',
    ]);
  });

  test("a shell", () => {
    expect(say(new ShellTokenizer(), "echo $HOME/a#b 'two\nlines' \\# # end")).toEqual([
      "echo | builtin:$HOME | /a#b | string:'two",
      "string:lines' | \\# | comment:# end",
    ]);
  });

  test("Markdown source", () => {
    expect(say(new MarkdownSourceTokenizer(), "# Title\n- a `b` **c**\n```\n# code\n```\n> said")).toEqual([
      "heading:# Title",
      "accent:- | a | code:`b` |  | strong:**c**",
      "code:```",
      "code:# code",
      "code:```",
      "comment:> said",
    ]);
  });

  test("a notebook as text, each cell in its own language", () => {
    const text = "# %% [markdown] cell:0\n# Title\n# %% [code] cell:1\n# comment";
    expect(say(new CellTextTokenizer(), text)).toEqual([
      "accent:# %% [markdown] cell:0",
      "heading:# Title",
      "accent:# %% [code] cell:1",
      "comment:# comment",
    ]);
  });

  test("a diff", () => {
    expect(say(diffTokenizer, "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same")).toEqual([
      "muted:--- a",
      "muted:+++ b",
      "accent:@@ -1 +1 @@",
      "removed:-old",
      "added:+new",
      "same",
    ]);
  });

  test("are known by the extension of a file, and others have no styles", () => {
    expect(["a/b.py", "x.IPYNB", "run.sh", "README.md", "main.rs", "constructor"].map(languageOfFile)).toEqual([
      "py",
      "ipynb",
      "sh",
      "md",
      "",
      "",
    ]);
    expect(highlight(["fn main()"], "rust", dark256)).toEqual(["fn main()"]);
    expect(highlight(["x"], "constructor", dark256)).toEqual(["x"]);
  });
});

test.each(["python", "bash", "json", "markdown", "ipynb", "diff"])("%s: any text stays the same", (language) => {
  const pieces = fc.constantFrom(
    '"""',
    "'",
    '"',
    "\\",
    "#",
    "%%bash",
    "```",
    "def ",
    "0x",
    "1e",
    "{",
    "é",
    "# %% [code]",
    " ",
  );
  const line = fc
    .array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 12 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      expect(highlight(lines, language, plainTheme)).toEqual(lines);
    }),
  );
});

const letters: Readonly<Record<string, string>> = { string: "s", comment: "c", number: "n", keyword: "k" };

/** Python's tokenizer leaves it to the parser whether `match` is a keyword. */
const lettersOf = ({ kind, text }: Token): string =>
  (["match", "case"].includes(text) ? "." : (letters[kind ?? ""] ?? ".")).repeat([...text].length);
