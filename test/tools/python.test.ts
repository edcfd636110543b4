import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CodeDetails } from "../../src/tools/definition/details.ts";
import type { ToolUpdate } from "../../src/tools/definition/tool.ts";
import { createExecutionsTool } from "../../src/tools/executions.ts";
import { createPythonTool } from "../../src/tools/python.ts";
import { py } from "../kernel/py.ts";
import { until } from "../kernel/until.ts";
import { temporaryFolder } from "../runtime/runtimes.ts";
import { contentOf, contextIn, textOf } from "./contexts.ts";

const folder = temporaryFolder();
const unfolded = { runtimeOptions: { settings: { output: { foldLines: false } } } };

/** A PNG of noise, which compression does not make smaller. */
const noise = py`
  import struct, zlib, os
  class Noise:
      def __init__(self, side): self.side = side
      def __repr__(self): return "noise"
      def _repr_png_(self):
          def chunk(kind, data):
              return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
          rows = b"".join(b"\x00" + os.urandom(self.side * 3) for _ in range(self.side))
          header = struct.pack(">IIBBBBB", self.side, self.side, 8, 2, 0, 0, 0)
          return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
`;

describe("python", () => {
  test("a budget above what the host takes is cut once, to the host's limit", async () => {
    const settings = { output: { budgetBytes: 200_000, maxLines: 100_000, foldLines: false } };
    await using context = await contextIn(folder, { resultBytes: 90_000, runtimeOptions: { settings } });
    const result = await createPythonTool(context).run({
      cells: [{ code: "for i in range(7000): print(i, 'x' * 10)" }, { code: "for i in range(5000): print(i)" }],
    });
    expect(Buffer.byteLength(textOf(result))).toBeLessThan(90_000);
    expect(Buffer.byteLength(textOf(result))).toBeGreaterThan(80_000);
    expect(textOf(result).match(/left out/g)).toHaveLength(1);
    const [address] = /artifact:\/\/\S+/.exec(textOf(result)) ?? [];
    expect(contentOf(result, "link").map(({ uri }) => uri)).toEqual([address]);
  });

  test("SVG drawings come as pictures, from IPython and from any object, without the names of their classes", async () => {
    await using context = await contextIn(folder);
    const code = py`
      from IPython.display import SVG, display
      drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><circle r="9"/></svg>'
      class Shape:
          def _repr_svg_(self): return drawing
      display(SVG(data=drawing))
      Shape()
    `;
    const result = await createPythonTool(context).run({ cells: [{ code }] });
    expect(contentOf(result, "image")).toHaveLength(2);
    expect(textOf(result)).toMatch(/\[SVG drawing, \d+ bytes → artifact:/);
    expect(textOf(result)).not.toContain("object");
  });

  test("takes the text of a cell for the cell", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    expect(textOf(await python.run({ cells: ["x = 6", { code: "x * 7" }] }))).toContain("42");
    expect(textOf(await python.run({ cells: [6] }))).toBe("Error: cells[0]: expected an object, got 6");
  });

  test("runs cells that share their variables, and shows the output of each", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const result = await python.run({
      cells: [{ title: "set", code: "x = 6" }, { code: "print('hi'); x * 7" }],
    });
    expect(textOf(result)).toBe("[cell 1/2: set]\n(no output)\n[cell 2/2]\nhi\n42");
    expect(result.structured).toEqual({
      status: "ok",
      session: "main",
      cells: [
        { id: "run-1", status: "ok" },
        { id: "run-2", status: "ok" },
      ],
    });
    expect(result).toMatchObject({ isError: false, details: { failed: null, ledger: { state: "alive" } } });
    expect(result.details?.cells[1]).toMatchObject({ status: "complete", output: "hi\n42\n", executionCount: 2 });
    expect(textOf(await python.run({ cells: [{ code: "x + 1" }] }))).toBe("7");
  });

  test("names the failed cell, says that earlier state is there, and lists the cells that did not run", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const cells = [{ code: "x = 1" }, { code: "x / 0" }, { code: "print('never')" }];
    const result = await python.run({ cells });
    expect(textOf(result)).toBe(
      "Error: Cell 2 of 3 failed: ZeroDivisionError: division by zero. Variables from the cells before it are kept. " +
        `Cell 3 was not run.\n\n[cell 1/3]\n(no output)\n[cell 2/3]\n${result.details?.cells[1]?.output.trimEnd()}`,
    );
    expect(result).toMatchObject({ isError: true, details: { failed: 1 }, structured: { status: "error" } });
    expect(result.details?.cells.map(({ status }) => status)).toEqual(["complete", "error", "skipped"]);
    expect(result.details?.cells[1]?.error).toMatchObject({ name: "ZeroDivisionError" });
    expect(textOf(await python.run({ cells: [{ code: "x" }] }))).toBe("1");
  });

  test("an exception without a message is named without a colon", async () => {
    await using context = await contextIn(folder);
    const result = await createPythonTool(context).run({ cells: [{ code: "raise ValueError" }] });
    expect(textOf(result)).toMatch(/^Error: The cell failed: ValueError\.\n\nTraceback/);
  });

  test("says nothing of variables elsewhere to an agent that starts with a named session", async () => {
    await using context = await contextIn(folder);
    const named = { cells: [{ code: "6 * 7" }], session: "sales" };
    expect(textOf(await createPythonTool(context).run(named))).toBe("42");
  });

  test("keeps sessions and folders apart, and says so once", async () => {
    mkdirSync(join(folder, "elsewhere"), { recursive: true });
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const code = "'x' in globals()";
    await python.run({ cells: [{ code: "x = 1" }] });
    expect(textOf(await python.run({ cells: [{ code }], session: "other" }))).toBe(
      "False\n\nNote: The session other has a kernel of its own: variables of main are not available.",
    );
    expect(textOf(await python.run({ cells: [{ code }], session: "other" }))).toBe("False");
    expect(textOf(await python.run({ cells: [{ code }], cwd: "elsewhere" }))).toMatch(
      /^False\n\nNote: The session main has one kernel per folder/,
    );
    expect(textOf(await python.run({ cells: [{ code }], cwd: "elsewhere" }))).toBe("False");
  });

  test("a crash without a checkpoint is reported once: its reason, what is lost and what follows, and the next call repeats none of it", async () => {
    await using context = await contextIn(folder, { python: { checkpoints: "off" } });
    const python = createPythonTool(context);
    await python.run({ cells: [{ code: "x = 1" }] });
    const crash = textOf(await python.run({ cells: [{ code: "import os\nos.abort()" }, { code: "x" }] }));
    expect(crash.match(/crashed/g)).toHaveLength(1);
    expect(crash.match(/variables are gone/gi)).toHaveLength(1);
    expect(crash).toMatch(
      /^Error: Cell 1 of 2 failed: Python crashed \(SIGABRT, at File "<cell 2>", line 2 in <module>\)\. /,
    );
    expect(crash.endsWith("\n\nNote: The next cell gets a fresh kernel.")).toBe(true);
    const next = await python.run({ cells: [{ code: "'x' in globals()" }] });
    expect(textOf(next)).toBe("False");
    expect(next.details?.ledger).toMatchObject({ state: "restarted" });
  });

  test("a kernel that was killed between two calls is reported with the second", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const pid = Number(textOf(await python.run({ cells: [{ code: "import os; os.getpid()" }] })));
    process.kill(pid, "SIGKILL");
    await until("the session knows", () => context.runtime.session("main").shared.life !== "ready");
    const next = textOf(await python.run({ cells: [{ code: "6 * 7" }] }));
    expect(next).toMatch(
      /^42\n\nNote: Python was restarted: Python was killed \(SIGKILL\).* Earlier variables are gone\.$/,
    );
  });

  test("begins with a fresh kernel on request, before the first cell only", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    await python.run({ cells: [{ code: "x = 1" }] });
    const result = await python.run({
      cells: [{ code: "y = 2" }, { code: "print('x' in globals(), y)" }],
      reset: true,
    });
    expect(textOf(result)).toContain("[cell 2/2]\nFalse 2");
    expect(textOf(result)).toContain("Note: Python was restarted: A fresh kernel was asked for by agent.");
  });

  test.each([
    [9000, "timeout is 600 seconds here: 9000 is not between 1 and 600."],
    [0, "timeout is 1 second here: 0 is not between 1 and 600."],
    [-3, "timeout is 1 second here: -3 is not between 1 and 600."],
  ])("clamps a timeout of %s seconds to the allowed range, and says so", async (timeout, notice) => {
    await using context = await contextIn(folder);
    const result = await createPythonTool(context).run({ cells: [{ code: "6 * 7" }], timeout });
    expect(textOf(result)).toBe(`42\n\nNote: ${notice}`);
  });

  test("stops when the call is cancelled, and says so", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const caller = new AbortController();
    const running = python.run({ cells: [{ code: "import time\ntime.sleep(600)" }] }, { signal: caller.signal });
    await until("it runs", () => context.runtime.executions[0]?.status === "running");
    caller.abort();
    const result = await running;
    expect(textOf(result)).toMatch(/^Error: The cell was stopped: it was interrupted\./);
    expect(result).toMatchObject({ isError: true, structured: { status: "cancelled" } });
  });

  test("refuses a missing folder, before anything runs", async () => {
    await using context = await contextIn(folder);
    const result = await createPythonTool(context).run({ cells: [{ code: "1" }], cwd: "nowhere" });
    expect(textOf(result)).toBe(
      `Error: The working folder ${join(folder, "nowhere")} does not exist. Create it, or name another.`,
    );
    expect(context.runtime.executions).toEqual([]);
  });

  test("refuses a folder outside of the roots, even behind a link", async () => {
    const { symlinkSync } = await import("node:fs");
    mkdirSync(join(folder, "root"), { recursive: true });
    mkdirSync(join(folder, "beside"), { recursive: true });
    if (!existsSync(join(folder, "root", "link"))) symlinkSync(join(folder, "beside"), join(folder, "root", "link"));
    await using context = await contextIn(folder, { roots: [join(folder, "root")], cwd: "root" });
    const python = createPythonTool(context);
    expect(textOf(await python.run({ cells: [{ code: "1" }] }))).toBe("1");
    for (const cwd of ["link", "..", "../beside", "/"]) {
      const result = await python.run({ cells: [{ code: "1" }], cwd });
      expect(textOf(result)).toContain(join(folder, "root"));
      expect(result.isError).toBe(true);
    }
  });

  test("says why Python could not start, and what to do", async () => {
    await using context = await contextIn(folder, { python: { interpreter: "/nowhere/python" } });
    const result = await createPythonTool(context).run({ cells: [{ code: "1" }] });
    expect(textOf(result)).toMatch(
      /^Error: The cell failed: \/nowhere\/python .*Name the executable of a Python[^\n]*$/,
    );
    expect(result.details?.cells[0]).toMatchObject({ status: "error", error: { name: "no-python" } });
  });

  test("shows values as JSON in a compact form, and pictures as pictures", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const result = await python.run({
      cells: [{ code: `${noise}\nclass Value:\n  def _repr_json_(self): return {"a": [1, 2]}\nValue()` }],
    });
    expect(textOf(result)).toBe('{ "a": [1, 2] }');
    expect(result.details?.cells[0]?.parts).toEqual([{ type: "json", value: { a: [1, 2] } }]);
    const plotted = await python.run({ cells: [{ code: "Noise(20)" }] });
    expect(textOf(plotted)).toBe("noise");
    expect(contentOf(plotted, "image").map(({ mimeType }) => mimeType)).toEqual(["image/png"]);
    expect(plotted.details?.cells[0]?.parts).toMatchObject([{ type: "image", width: 20, height: 20 }]);
  });

  test("a picture is where it was displayed, regardless of the text around it", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const figure = `${noise}\nclass Figure(Noise):\n  def __repr__(self): return "<Figure>"`;
    const code = `display(Figure(20)); print("middle"); print("<Figure>")`;
    const result = await python.run({ cells: [{ code: figure }, { code }, { code: "display(Noise(9)); 1/0" }] });
    const order = result.content.map((part) => (part.type === "text" ? part.text : part.type));
    expect(order.slice(0, 4)).toEqual([
      expect.stringMatching(/^Error: [^\n]*\n\n\[cell 1\/3\]\n\(no output\)\n\[cell 2\/3\]\n<Figure>$/),
      "image",
      "middle\n<Figure>\n[cell 3/3]\nnoise",
      "image",
    ]);
    expect(order[4]).toMatch(/^Traceback[\s\S]*ZeroDivisionError: division by zero$/);
    const { output, places } = result.details?.cells[1] ?? {};
    expect(output).toBe("<Figure>\nmiddle\n<Figure>\n");
    expect(places).toMatchObject([{ shown: { start: 0, end: 9 }, parts: 1, isStandIn: true }]);
    // A later poll shows the same.
    const later = await createExecutionsTool(context).run({ id: "run-2" });
    expect(later.content.map((part) => (part.type === "text" ? part.text : part.type))).toEqual([
      "run-2 is over: ok.\n\n<Figure>",
      "image",
      "middle\n<Figure>",
    ]);
    const news = await createExecutionsTool(context).run({ id: "run-2", since: 1 });
    expect(news.content.map((part) => (part.type === "text" ? part.text : part.type))).toEqual([
      "run-2 is over: ok.\n\n<Figure>",
      "image",
      "middle\n<Figure>",
    ]);
  });

  test("names of what a picture shows are left out beside it, and details keep them", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const named = py`
      class Named:
          def __init__(self, text): self.text = text
          def __repr__(self): return self.text
      class Figure(Noise):
          def __repr__(self): return "<Figure size 640x480 with 1 Axes>"
      line = "<matplotlib.lines.Line2D at 0x7f3a>"
    `;
    await python.run({ cells: [{ code: `${noise}\n${named}` }] });
    const shown = [
      "\"<Axes: title={'center': 'squares'}, xlabel='x'>\"",
      "f'[{line}, {line}]'",
      "\"Text(0.5, 1.0, 'squares')\"",
      "'array([<Axes: >,\\n       <Axes: >], dtype=object)'",
      "'<BarContainer object of 3 artists>'",
    ];
    for (const text of shown) {
      const plotted = await python.run({ cells: [{ code: `display(Figure(9))\nNamed(${text})` }] });
      expect(plotted.content.map((part) => (part.type === "text" ? part.text : part.type))).toEqual([
        "(1 picture)",
        "image",
      ]);
      expect(plotted.details?.cells[0]?.output).toMatch(/^<Figure size 640x480 with 1 Axes>\n\S/);
      const alone = await python.run({ cells: [{ code: `Named(${text})` }] });
      expect(textOf(alone)).not.toBe("");
    }
    const data = "Named('(array([1., 2.]), <BarContainer object of 2 artists>)')";
    const beside = await python.run({ cells: [{ code: `print("<Axes: >")\ndisplay(Figure(9))\n${data}` }] });
    expect(textOf(beside)).toBe("<Axes: >\n(array([1., 2.]), <BarContainer object of 2 artists>)");
  });

  test("forms that nobody reads are not computed: of a table with a readable text, no HTML", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const table = py`
      asked = []
      class Table:
          def __init__(self, text): self.text = text
          def __repr__(self): return self.text
          def _repr_html_(self): asked.append("html"); return "<b>bold</b>"
          def _repr_latex_(self): asked.append("latex"); return "$x$"
          def _repr_markdown_(self): asked.append("markdown")
    `;
    await python.run({ cells: [{ code: table }] });
    const shows = async (code: string) => textOf(await python.run({ cells: [{ code }] }));
    expect(await shows("Table('a  b')")).toBe("a  b");
    expect(await shows("display(Table('a  b'))")).toBe("a  b");
    expect(await shows("asked")).toBe("['markdown', 'markdown']");
    expect(await shows("asked.clear(); Table('<Table object at 0x7f>')")).toBe("**bold**");
    expect(await shows("asked")).toBe("['html', 'markdown', 'latex']");
    // Code that asks for a form gets it.
    expect(await shows("asked.clear(); from IPython.display import display_html; display_html(Table('a'))")).toBe(
      "**bold**",
    );
    expect(await shows("%%capture kept\ndisplay(Table('a'))")).toBe("(no output)");
    expect(await shows("kept.outputs[0].data['text/html']")).toBe("'<b>bold</b>'");
    expect(await shows("get_ipython().display_formatter.format(Table('a'))[0]['text/html']")).toBe("'<b>bold</b>'");
  });

  test("a caller that takes the events gets all forms", async () => {
    await using context = await contextIn(folder);
    const bundles: object[] = [];
    const code = "class Both:\n  def _repr_html_(self): return '<b>x</b>'\n  def __repr__(self): return 'x'\nBoth()";
    await context.runtime.session("main").run(code, {
      onEvent: (event) => {
        if (event.type === "result") bundles.push(event.data);
      },
    }).result;
    expect(bundles).toEqual([{ "text/html": "<b>x</b>", "text/plain": "x" }]);
  });

  test("a warning shows the user's line, and never a file of Granary's", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const code = 'import warnings\nwarnings.warn("careful", stacklevel=2)\nwarnings.warn("twice", stacklevel=3)';
    expect(textOf(await python.run({ cells: [{ code }] }))).toBe(
      '<cell 1>:2: UserWarning: careful\n  warnings.warn("careful", stacklevel=2)\n' +
        '<cell 1>:3: UserWarning: twice\n  warnings.warn("twice", stacklevel=3)',
    );
    const drawn =
      'class Drawn:\n  def _repr_html_(self):\n    warnings.warn("late", stacklevel=2); return "<b>x</b>"\nDrawn()';
    const late = textOf(await python.run({ cells: [{ code: drawn }] }));
    expect(late).toContain("UserWarning: late");
    expect(late).not.toContain("granary_runner");
  });

  test("pictures in an output that is too long are attached at the gap", async () => {
    await using context = await contextIn(folder, unfolded);
    const many = "for i in range(4000): print(i)";
    const code = `${noise}\n${many}\ndisplay(Noise(9)); print("between"); display(Noise(10))\n${many}`;
    const result = await createPythonTool(context).run({ cells: [{ code }] });
    expect(result.content.map(({ type }) => type)).toEqual(["text", "image", "image", "text", "link"]);
    const [before, , , after] = result.content.map((part) => (part.type === "text" ? part.text : ""));
    expect(before).toMatch(/^0\n1\n[\s\S]*left out; all of it: artifact:\S+ …$/);
    expect(after).toMatch(/^\d+\n[\s\S]*\n3999$/);
  });

  test("asks the host for input(), and fails as documented without one", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const cells = [{ code: "name = input('Who? ')\nprint('hello', name)" }];
    const answered = await python.run({ cells }, { answer: async (prompt) => `${prompt.length} letters` });
    expect(textOf(answered)).toContain("hello 5 letters");
    const failed = await python.run({ cells });
    expect(failed).toMatchObject({ isError: true, details: { cells: [{ stdinRequested: true }] } });
    expect(textOf(failed)).toContain("Pass the data programmatically");
  });

  test("shows output printed since the cell before apart from the cell's own", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    await python.run({
      cells: [
        {
          code: py`
            import threading, os, time
            def later():
                while not os.path.exists("print-now"): time.sleep(0.005)
                print("from the thread", flush=True)
            threading.Thread(target=later).start()
          `,
        },
      ],
    });
    await python.run({ cells: [{ code: "open('print-now', 'w').close()" }], session: "another" });
    let text = "";
    await until("it was reported", async () => {
      text = textOf(await python.run({ cells: [{ code: "'own'" }] }));
      return text !== "'own'";
    });
    expect(text).toBe("[printed since the cell before]\nfrom the thread\n[cell 1/1]\n'own'");
  });
});

describe("output that does not fit into a result", () => {
  test("is named by an address, and a file has all of it", async () => {
    await using context = await contextIn(folder);
    const code = "for i in range(20_000): print('odd' if i % 2 else 'even', i)";
    const result = await createPythonTool(context).run({ cells: [{ code }] });
    const [link] = contentOf(result, "link");
    expect(textOf(result)).toMatch(/… [\d,]+ lines \([\d,]+ bytes\) left out; all of it: artifact:\/\/main-\d+ …/);
    expect(Buffer.byteLength(textOf(result))).toBeLessThan(16_500);
    expect(textOf(result)).toContain(link?.uri);
    const { fullOutputPath, truncation } = result.details?.cells[0] ?? {};
    expect(truncation).toMatchObject({ totalLines: 20_000, artifact: link?.uri });
    expect(readFileSync(fullOutputPath ?? "", "utf8").split("\n").length).toBe(20_001);
    expect(result.details?.cells[0]).toMatchObject({ totalLines: 20_000, fullOutput: expect.stringContaining("\n") });
    expect(result.structured).toMatchObject({ cells: [{ artifact: link?.uri }] });
  });

  test("similar lines are folded, with their exact number, and the artifact has all of them", async () => {
    await using context = await contextIn(folder);
    const code = "for i in range(20_000): print('step', i, 'loss', 1 / (i + 1))";
    const result = await createPythonTool(context).run({ cells: [{ code }] });
    const lines = textOf(result).split("\n");
    expect(lines).toHaveLength(21);
    expect(lines[0]).toBe("step 0 loss 1.0");
    expect(lines[10]).toMatch(/^… 19,980 lines like "step 10 loss 0\.09\d+"; all of it: artifact:\/\/main-\d+ …$/);
    expect(lines[20]).toBe("step 19999 loss 5e-05");
    // A token has at least one character, and numbers have about two.
    expect(textOf(result).length).toBeLessThan(1000);
    const { fullOutputPath, truncation } = result.details?.cells[0] ?? {};
    expect(truncation).toMatchObject({ totalLines: 20_000, shownLines: 20, elidedLines: 19_980 });
    expect(readFileSync(fullOutputPath ?? "", "utf8").split("\n").length).toBe(20_001);
  });

  test("similar lines stay when the setting says so", async () => {
    await using context = await contextIn(folder, unfolded);
    const result = await createPythonTool(context).run({ cells: [{ code: "for i in range(500): print(i)" }] });
    expect(textOf(result).split("\n")).toEqual(Array.from({ length: 500 }, (_, at) => String(at)));
  });

  test("shares the budget between the cells of a call, each with its own address", async () => {
    await using context = await contextIn(folder, unfolded);
    const cells = Array.from({ length: 6 }, (_, n) => ({ code: `for i in range(1500): print("${n}" * 20)` }));
    const result = await createPythonTool(context).run({ cells: [{ code: "print('short')" }, ...cells] });
    expect(textOf(result).length).toBeLessThan(18_000);
    expect(textOf(result)).toContain("[cell 1/7]\nshort\n[cell 2/7]\n00000");
    expect(contentOf(result, "link")).toHaveLength(6);
    expect(textOf(result).match(/share one budget; all of it: artifact:\/\//g)).toHaveLength(6);
    const told = result.structured as { cells: readonly { artifact?: string }[] };
    const addresses = contentOf(result, "link").map(({ uri }) => uri);
    expect(told.cells.map(({ artifact }) => artifact)).toEqual([undefined, ...addresses]);
  });

  test("pictures are scaled down to keep the result short, and their originals are kept", async () => {
    await using context = await contextIn(folder);
    const code = `${noise}\nfor _ in range(2): display(Noise(150))`;
    const result = await createPythonTool(context).run({ cells: [{ code }] });
    const pictures = contentOf(result, "image");
    expect(pictures).toHaveLength(2);
    expect(pictures.reduce((sum, { base64 }) => sum + base64.length, 0)).toBeLessThanOrEqual(90_000);
    expect(textOf(result)).toMatch(
      /\nNote: Pictures 1, 2 of 2 are attached smaller, at \d+x\d+(?:, \d+x\d+)?, to keep the result short; as they were: artifact:\S+, artifact:\S+$/,
    );
  });
});

describe("while it works", () => {
  test("reports the end of the output and the state of each cell", async () => {
    await using context = await contextIn(folder);
    const updates: ToolUpdate<CodeDetails>[] = [];
    const code = py`
      import os, time
      print("working", flush=True)
      while not os.path.exists("seen"): time.sleep(0.005)
    `;
    const running = createPythonTool(context).run(
      { cells: [{ code }, { title: "last", code: "1" }] },
      { onUpdate: (update) => updates.push(update) },
    );
    await until("the output was reported", () => updates.at(-1)?.text === "working\n");
    const { details } = updates.at(-1) as ToolUpdate<CodeDetails>;
    expect(details.cells.map(({ status, title }) => ({ status, title }))).toEqual([
      { status: "running", title: null },
      { status: "pending", title: "last" },
    ]);
    expect(details.cells[0]).toMatchObject({ output: "working\n", durationMs: null, executionId: "run-1" });
    expect(details.cells[0]?.startedAt).toBeTypeOf("number");
    await context.sessionFor("other").run("open('seen', 'w').close()").result;
    expect((await running).isError).toBe(false);
  });

  test("continues when the listener fails", async () => {
    await using context = await contextIn(folder);
    const result = await createPythonTool(context).run(
      { cells: [{ code: "6 * 7" }] },
      {
        onUpdate: () => {
          throw new Error("no longer there");
        },
      },
    );
    expect(textOf(result)).toBe("42");
  });

  test("says that it waits while other cells of its session run", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const code = "import os, time\nwhile not os.path.exists('your-turn'): time.sleep(0.005)";
    await python.run({ cells: [{ code }], background: true });
    const texts: string[] = [];
    const waiting = python.run(
      { cells: [{ code: "'had its turn'" }], queue: true },
      { onUpdate: ({ text }) => texts.push(text) },
    );
    await until("it says so", () => texts.includes("Waiting for other cells of session main."));
    await context.sessionFor("other").run("open('your-turn', 'w').close()").result;
    expect(textOf(await waiting)).toBe("'had its turn'");
  });

  test("its first update says that it waits for a place, and lists all of its cells", async () => {
    await using context = await contextIn(folder, { python: { maxSessions: 1 } });
    const python = createPythonTool(context);
    const code = "import os, time\nwhile not os.path.exists('place-is-free'): time.sleep(0.005)";
    await python.run({ cells: [{ code }], session: "first", background: true });
    const updates: ToolUpdate<CodeDetails>[] = [];
    const stop = new AbortController();
    const waiting = python.run(
      { cells: [{ title: "a", code: "1" }, { title: "b", code: "2" }, { code: "3" }], session: "second" },
      { onUpdate: (update) => updates.push(update), signal: stop.signal },
    );
    await until("there is an update", () => updates.length > 0);
    expect(updates[0]?.text).toBe(
      "The only Python session is busy (first): this one waits until one is idle. The setting python.maxSessions allows more.",
    );
    expect(updates[0]?.details.cells.map(({ title, status }) => [title, status])).toEqual([
      ["a", "pending"],
      ["b", "pending"],
      [null, "pending"],
    ]);
    stop.abort();
    await waiting;
  });

  test("its first update lists all cells, even when the first begins at once", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    await python.run({ cells: [{ code: "0" }] });
    const updates: ToolUpdate<CodeDetails>[] = [];
    await python.run({ cells: [{ code: "1" }, { code: "2" }] }, { onUpdate: (update) => updates.push(update) });
    expect(updates[0]?.details.cells.map(({ code }) => code)).toEqual(["1", "2"]);
  });

  test("calls of one session run in order of arrival, and cells of two calls do not mix", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    await python.run({ cells: [{ code: "log = []" }] });
    const calls = ["a", "b", "c"].map((name) =>
      python.run({ cells: Array.from({ length: 3 }, () => ({ code: `log.append("${name}")` })) }),
    );
    await Promise.all(calls);
    expect(textOf(await python.run({ cells: [{ code: "''.join(log)" }] }))).toBe("'aaabbbccc'");
  });
});

describe("in the background", () => {
  test("cells continue without their call, and are found by their ids", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const executions = createExecutionsTool(context);
    const caller = new AbortController();
    const code = "import os, time\nwhile not os.path.exists('carry-on'): time.sleep(0.005)\nprint('done')";
    const started = await python.run(
      { cells: [{ code }, { code: "6 * 7" }], background: true },
      { signal: caller.signal },
    );
    caller.abort();
    expect(textOf(started)).toMatch(/^Started in the background: run-1, run-2 \(session main\)\./);
    expect(started).toMatchObject({ isError: false, details: { background: true }, structured: { status: "running" } });
    await context.sessionFor("other").run("open('carry-on', 'w').close()").result;
    expect(textOf(await executions.run({ action: "wait", id: "run-2" }))).toBe("run-2 is over: ok.\n\n42");
    expect(textOf(await executions.run({ id: "run-1" }))).toBe("run-1 is over: ok.\n\ndone");
  });
});
