import { printed, run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";

export function describeResults({ test }: Contract): void {
  describe("state and results", () => {
    test("variables, functions and imports are still there in later cells", async (kernel) => {
      await run(kernel, "import math\nradius = 2\ndef area(r): return math.pi * r ** 2");
      expect(await printed(kernel, "print(round(area(radius), 3))")).toBe("12.566\n");
    });

    test("the value of the last expression is the result", async (kernel) => {
      const { result, outcome } = await run(kernel, "x = 6\nx * 7");
      expect(result).toEqual({ "text/plain": "42" });
      expect(outcome).toBe("ok");
    });

    test("a last expression over several lines is the result", async (kernel) => {
      const cell = py`
        (
            [1,
             2]
            + [3]
        )
      `;
      expect((await run(kernel, cell)).result).toEqual({ "text/plain": "[1, 2, 3]" });
    });

    test("results look as in IPython", async (kernel) => {
      const rows = "[{'name': 'aaaaaaaaaaaaaaaaaaaa', 'value': n} for n in range(2)]";
      const texts = {
        [rows]: "[{'name': 'aaaaaaaaaaaaaaaaaaaa', 'value': 0},\n {'name': 'aaaaaaaaaaaaaaaaaaaa', 'value': 1}]",
        "type(1), {3, 1, 2}, len": "(int, {1, 2, 3}, <function len(obj, /)>)",
        "import collections; collections.Counter('abb')": "Counter({'b': 2, 'a': 1})",
        "class Half:\n  def _repr_pretty_(self, p, cycle): p.text('½')\n[Half(), Half]": "[½, __main__.Half]",
        "ValueError('bad', 3)": "ValueError('bad', 3)",
      };
      for (const [cell, text] of Object.entries(texts)) {
        expect((await run(kernel, cell)).result).toEqual({ "text/plain": text });
      }
    });

    test("there is no result for None, for a statement, and for an expression inside a block", async (kernel) => {
      for (const cell of [
        "None",
        "x = 1",
        "print(end='')",
        "if True:\n    5",
        "def f(): 5",
        "# only a comment",
        "\n\n",
      ]) {
        expect((await run(kernel, cell)).result).toBe(undefined);
      }
    });

    test("there is no result after a semicolon", async (kernel) => {
      for (const cell of ["42;", "42 ;  # comment", "x = 1; x;", "(42);", "[1,\n 2];", "'a;b';"]) {
        expect((await run(kernel, cell)).result).toBe(undefined);
      }
    });

    test("a semicolon in a string, in a comment or between statements hides no result", async (kernel) => {
      const cells = { "'a;'": "'a;'", "42 # ;": "42", "x = 1; x": "1", "'''\n;'''": "'\\n;'" };
      for (const [cell, text] of Object.entries(cells)) {
        expect((await run(kernel, cell)).result).toEqual({ "text/plain": text });
      }
    });

    test("the execution count grows by one per cell, also for cells that fail", async (kernel) => {
      const counts = [];
      for (const cell of ["1", "1/0", "syntax error", "", "'last'"])
        counts.push((await run(kernel, cell)).executionCount);
      expect(counts).toEqual([1, 2, 3, 4, 5]);
      const { events } = await run(kernel, "'sixth'");
      expect(events.find((event) => event.type === "result")?.executionCount).toBe(6);
    });

    test("_, __, ___ and _N are the results before", async (kernel) => {
      for (const cell of ["'one'", "'two'", "None", "'four'"]) await run(kernel, cell);
      const { result } = await run(kernel, "_, __, ___, _1, _2, _4");
      expect(result).toEqual({ "text/plain": "('four', 'two', 'one', 'one', 'two', 'four')" });
    });

    test("a variable _ of the user's own is left alone", async (kernel) => {
      await run(kernel, "_ = 'mine'");
      await run(kernel, "'a result'");
      expect(await printed(kernel, "print(_)")).toBe("mine\n");
    });

    test("a failing repr of a result fails its cell, with the traceback, and the kernel continues", async (kernel) => {
      const define = py`
        class Broken:
            def __repr__(self):
                raise ValueError("no words")  # here
      `;
      await run(kernel, define);
      for (const cell of ["Broken()", "[1, Broken()]", "{'key': (Broken(),)}"]) {
        const { outcome, error, result } = await run(kernel, cell);
        expect({ outcome, name: error?.name, message: error?.message, result }).toEqual({
          outcome: "error",
          name: "ValueError",
          message: "no words",
          result: undefined,
        });
        expect(error?.traceback).toContain('raise ValueError("no words")  # here');
        expect(error?.traceback).not.toContain("granary");
      }
      expect(await printed(kernel, "print('fine', type(_).__name__)")).toMatch(/^fine /);
    });

    test("a picture of a file that does not exist fails the cell", async (kernel) => {
      const { outcome, error } = await run(kernel, "from IPython.display import Image\nImage('nope.png')");
      expect(outcome).toBe("error");
      expect(error?.name).toBe("FileNotFoundError");
      expect(error?.message).toContain("nope.png");
    });

    test("a result that leaves Python or is interrupted while it is shown ends its cell as any code does", async (kernel) => {
      const define = py`
        class Leaves:
            def __repr__(self): raise SystemExit(3)
        class Stops:
            def __repr__(self): raise KeyboardInterrupt
      `;
      await run(kernel, define);
      expect((await run(kernel, "Leaves()")).error?.name).toBe("SystemExit");
      expect((await run(kernel, "Stops()")).outcome).toBe("interrupted");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("%reset forgets what it names, and everything only when it names nothing", async (kernel) => {
      await run(kernel, "x = 'kept'");
      await run(kernel, "'a result'");
      for (const target of ["in", "dhist", "array"]) await run(kernel, `%reset -f ${target}`);
      expect(await printed(kernel, "print(x, _2)")).toBe("kept a result\n");
      await run(kernel, "%reset -f out");
      expect(await printed(kernel, "print(x, '_2' in globals())")).toBe("kept False\n");
      await run(kernel, "%reset -f");
      expect(await printed(kernel, "print('x' in globals())")).toBe("False\n");
    });

    test("a large result arrives whole", async (kernel) => {
      const { result } = await run(kernel, "'x' * 3_000_000");
      expect(String(result?.["text/plain"]).length).toBeGreaterThan(2_999_999);
    });

    test("a result with text that JSON cannot express arrives", async (kernel) => {
      const { result, outcome } = await run(
        kernel,
        py`
        class Odd:
            def __repr__(self): return "half \ud83d pair, \x00, \x1b, \u2028"
        Odd()
      `,
      );
      expect(outcome).toBe("ok");
      expect(String(result?.["text/plain"])).toMatch(/^half .+ pair, /);
    });
  });
}
