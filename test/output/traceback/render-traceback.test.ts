import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderTraceback } from "../../../src/output/traceback/render-traceback.ts";
import { frameKind } from "../../../src/output/traceback/traceback.ts";
import { newestPython, oldestPython } from "../../environment/pythons.ts";
import { samples, withoutPackages } from "../python-samples.ts";

type Tracebacks = Record<string, readonly string[]>;

describe.each([oldestPython(), newestPython()])("tracebacks of Python $version", ({ path }) => {
  const tracebacks = samples<Tracebacks>("traceback/traceback_samples.py", path);
  const rendered = (name: string) => renderTraceback(tracebacks[name] ?? []);

  test("the user's own frames are shown as Python shows them", () => {
    const { text, exceptions } = rendered("own");
    expect(text).toBe(tracebacks.own?.join("\n"));
    expect(exceptions).toEqual([
      {
        name: "ZeroDivisionError",
        message: "division by zero",
        link: null,
        frames: [
          { file: "<cell 7>", line: 4, function: "<module>", source: "f(0)", kind: "cell" },
          { file: "<cell 7>", line: 2, function: "f", source: "return 1 / x", kind: "cell" },
        ],
      },
    ]);
  });

  test("frames of libraries are folded, except the one that raised", () => {
    const { text, exceptions } = rendered("library");
    expect(text).toContain('File "<cell 7>", line 2, in <module>\n    json.loads');
    expect(text).toContain("\n  [2 frames in Python]\n");
    expect(text.match(/ {2}File .*decoder\.py/g)).toHaveLength(1);
    expect(text).toMatch(/JSONDecodeError: Expecting property name/);
    expect(exceptions[0]?.frames.map(({ kind }) => kind)).toEqual(["cell", "library", "library", "library"]);
  });

  test.each(["cause", "context"] as const)("an exception's %s is kept", (link) => {
    const { text, exceptions } = rendered(link);
    expect(text).toBe(tracebacks[link]?.join("\n"));
    expect(exceptions.map(({ name, link }) => [name, link])).toEqual([
      ["KeyError", null],
      [link === "cause" ? "ValueError" : "NameError", link],
    ]);
  });

  test("recursion is folded, of functions that call each other too", () => {
    expect(rendered("recursion").text).toMatch(/\[Previous line repeated \d+ more times\]/);
    expect(rendered("mutual").text).toMatch(/\[the 2 frames above repeated \d+ more times\]/);
    expect(rendered("mutual").text.split("\n").length).toBeLessThan(20);
  });

  test("a syntax error keeps its place and its marks", () => {
    const { text, exceptions } = rendered("syntax");
    expect(text).toBe(tracebacks.syntax?.join("\n"));
    expect(text).toMatch(/\n +\^\n/);
    expect(exceptions[0]).toMatchObject({
      name: "SyntaxError",
      frames: [{ file: "<cell 7>", line: 1, source: "x = = 3" }],
    });
  });

  test("a message keeps all its lines, and a long one loses nothing", () => {
    expect(rendered("lines").exceptions[0]?.message).toBe("one\ntwo\n\nthree");
    expect(rendered("long").text).toMatch(/x{100000}$/);
  });

  test.runIf(tracebacks.group !== undefined)("the members of a group are kept, each with its frames", () => {
    const { text, exceptions } = rendered("group");
    expect(text).toContain("ExceptionGroup: both (2 sub-exceptions)");
    expect(text).toContain("    |   [2 frames in Python]");
    expect(exceptions.map(({ name, link }) => [name, link])).toEqual([
      ["ExceptionGroup", null],
      ["json.decoder.JSONDecodeError", "member"],
      ["ZeroDivisionError", "member"],
    ]);
    expect(exceptions[1]?.frames.length).toBe(5);
  });
});

describe.skipIf(withoutPackages)("tracebacks of IPython, from ipykernel", () => {
  const tracebacks = withoutPackages ? {} : samples<Tracebacks>("traceback/ipython_samples.py");
  const rendered = (name: string) => renderTraceback(tracebacks[name] ?? []);

  test("come without colours, and with the same structure", () => {
    expect(tracebacks.own?.join("")).toContain("\u001b[");
    const { text, exceptions } = rendered("own");
    expect(text).not.toContain("\u001b");
    expect(text).toContain("----> 2     return 1 / x");
    expect(exceptions).toMatchObject([
      {
        name: "ZeroDivisionError",
        message: "division by zero",
        frames: [
          { file: "Cell In[1]", line: 4, function: null, source: "f(0)", kind: "cell" },
          { file: "Cell In[1]", line: 2, function: "f", source: "return 1 / x", kind: "cell" },
        ],
      },
    ]);
  });

  test("libraries are folded, compiled ones too, and the chain is kept", () => {
    expect(rendered("library").text).toContain("\n    [2 frames in Python]\n");
    const { text, exceptions } = rendered("pandas");
    expect(text).toMatch(/\[\d frames in pandas\]/);
    expect(text).toContain("The above exception was the direct cause of the following exception:");
    expect(text).toContain("----> 2 pd.DataFrame({'a': [1]})['b']");
    expect(exceptions.map(({ name, message, link }) => [name, message, link])).toEqual([
      ["KeyError", "'b'", null],
      ["KeyError", "'b'", "cause"],
    ]);
  });

  test("a syntax error keeps its place and its marks", () => {
    const { text, exceptions } = rendered("syntax");
    expect(text).toMatch(/x = = 3\n +\^\nSyntaxError: invalid syntax$/);
    expect(exceptions).toMatchObject([
      { name: "SyntaxError", frames: [{ file: "Cell In[5]", line: 1, source: "x = = 3" }] },
    ]);
  });
});

describe("for any input", () => {
  test("tracebacks of older IPython versions are understood", () => {
    const lines = [
      "<ipython-input-3-0f> in f(x)",
      "      1 def f(x):",
      "----> 2     return 1/x",
      "",
      "ZeroDivisionError: no",
    ];
    expect(renderTraceback(lines).exceptions).toMatchObject([
      {
        name: "ZeroDivisionError",
        message: "no",
        frames: [{ line: 2, function: "f", source: "return 1/x", kind: "cell" }],
      },
    ]);
    expect(renderTraceback(["Input In [3], in <cell line: 1>()", "----> 1 f()"]).exceptions[0]?.frames).toMatchObject([
      { file: "Input In [3]", line: 1, kind: "cell" },
    ]);
  });

  test("lines that are no traceback come back as they are", () => {
    const line = fc.stringMatching(/^[ -~]{0,40}$/).filter((line) => !/File|Cell|Input|ipython| in /.test(line));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        expect(renderTraceback(lines).text).toBe(lines.join("\n").trimEnd());
      }),
    );
  });

  test.each([
    ["<cell 3>", "cell"],
    ["<run_cell 3>", "cell"],
    ["Cell In[3]", "cell"],
    ["<ipython-input-3-0f>", "cell"],
    ["/tmp/ipykernel_12/345.py", "cell"],
    ["/home/me/project/lib/tool.py", "user"],
    ["<string>", "user"],
    ["/home/me/.venv/lib/python3.12/site-packages/pandas/core/frame.py", "library"],
    ["/usr/lib/python3/dist-packages/six.py", "library"],
    ["/usr/lib/python3.11/json/decoder.py", "library"],
    ["<frozen importlib._bootstrap>", "library"],
    ["pandas/_libs/index.pyx", "library"],
    ["C:\\Python312\\Lib\\json\\decoder.py", "library"],
  ] as const)("%s is code of kind %s", (file, kind) => {
    expect(frameKind(file)).toBe(kind);
  });
});
