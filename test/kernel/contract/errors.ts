import { printed, run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";

export function describeErrors({ test }: Contract): void {
  describe("errors", () => {
    test("an error has its name, its message, and a traceback with the cell's source line", async (kernel) => {
      const { outcome, error, result } = await run(kernel, "x = 1\nx / 0  # the culprit");
      expect(outcome).toBe("error");
      expect(error?.name).toBe("ZeroDivisionError");
      expect(error?.message).toBe("division by zero");
      expect(error?.traceback).toContain("x / 0  # the culprit");
      expect(error?.traceback).toContain("ZeroDivisionError: division by zero");
      expect(result).toBe(undefined);
    });

    test("a traceback through several cells shows the lines of each, under its own file name", async (kernel) => {
      await run(kernel, "def inner(x):\n    return 1 / x  # in the first cell");
      await run(kernel, "def outer():\n    return inner(0)  # in the second cell");
      const { error } = await run(kernel, "outer()  # in the third cell");
      for (const cell of ["first", "second", "third"]) expect(error?.traceback).toContain(`# in the ${cell} cell`);
      const files = "print(len({inner.__code__.co_filename, outer.__code__.co_filename}))";
      expect(await printed(kernel, files)).toBe("2\n");
    });

    test("a cell run again after a change shows its new line", async (kernel) => {
      await run(kernel, "1 / 0  # old");
      const { error } = await run(kernel, "1 / 0  # new");
      expect(error?.traceback).toContain("# new");
      expect(error?.traceback).not.toContain("# old");
    });

    test("an exception that a context manager shows and swallows, as ipywidgets' Output does, does not fail the cell", async (kernel) => {
      const output = py`
        class Output:
            def __enter__(self):
                return self
            def __exit__(self, kind, value, traceback):
                if kind is not None:
                    get_ipython().showtraceback((kind, value, traceback), tb_offset=0)
                return True
      `;
      await run(kernel, output);
      const swallowed = await run(kernel, "with Output():\n    raise ValueError('inside')\nprint('after')");
      expect(swallowed.outcome).toBe("ok");
      expect(swallowed.stdout).toBe("after\n");
      expect(swallowed.stderr + (swallowed.error?.traceback ?? "")).toContain("ValueError: inside");
      const raised = await run(kernel, "with Output():\n    raise ValueError('inside')\n1 / 0");
      expect(raised.outcome).toBe("error");
      expect(raised.events.findLast(({ type }) => type === "error")).toMatchObject({ name: "ZeroDivisionError" });
    });

    test("a traceback shows nothing of the kernel's own code", async (kernel) => {
      const { error } = await run(kernel, "def f():\n    raise ValueError('mine')\nf()");
      expect(error?.traceback).not.toContain("granary");
    });

    test("a syntax error shows the line, and nothing of the cell runs", async (kernel) => {
      const { outcome, error, stdout } = await run(kernel, "print('unreached')\nx = = 1  # here");
      expect(outcome).toBe("error");
      expect(error?.name).toBe("SyntaxError");
      expect(error?.traceback).toContain("x = = 1");
      expect(error?.traceback).toContain("^");
      expect(stdout).toBe("");
    });

    test("wrong indentation is reported as such", async (kernel) => {
      const { error } = await run(kernel, "if True:\nprint(1)");
      expect(error?.name).toBe("IndentationError");
    });

    test("the cause and the context of an exception are reported", async (kernel) => {
      const cell = py`
        try:
            try:
                {}["missing"]
            except KeyError as problem:
                raise ValueError("because") from problem
        except ValueError:
            raise RuntimeError("while handling")
      `;
      const { error } = await run(kernel, cell);
      expect(error?.name).toBe("RuntimeError");
      for (const part of ["KeyError: 'missing'", "ValueError: because", "RuntimeError: while handling"]) {
        expect(error?.traceback).toContain(part);
      }
    });

    test("an exception whose __str__ is broken is still reported under its name", async (kernel) => {
      const cell = py`
        class Mute(Exception):
            def __str__(self): raise RuntimeError("cannot speak")
            __repr__ = __str__
        raise Mute()
      `;
      const { outcome, error } = await run(kernel, cell);
      expect(outcome).toBe("error");
      expect(error?.name).toBe("Mute");
      expect(error?.traceback).toContain("raise Mute()");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("an exception whose __str__ leaves Python is still reported under its name", async (kernel) => {
      const cell = py`
        class Quitter(Exception):
            def __str__(self): raise SystemExit(3)
        raise Quitter()
      `;
      const { outcome, error } = await run(kernel, cell);
      expect(outcome).toBe("error");
      expect(error?.name).toBe("Quitter");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("an exception whose __str__ gives no string is still reported under its name", async (kernel) => {
      const { error } = await run(kernel, "class Odd(Exception):\n    def __str__(self): return 42\nraise Odd()");
      expect(error?.name).toBe("Odd");
    });

    test("an exception outside of Exception is an error like any other", async (kernel) => {
      const { outcome, error } = await run(kernel, "class Stop(BaseException): pass\nraise Stop('base')");
      expect(outcome).toBe("error");
      expect(error).toMatchObject({ name: "Stop", message: "base" });
    });

    test(
      "an exception group tells of all its members",
      async (kernel) => {
        const cell = py`
          def fail(kind, text):
              try:
                  raise kind(text)
              except Exception as problem:
                  return problem
          raise ExceptionGroup("several", [fail(ValueError, "first"), ExceptionGroup("inner", [fail(KeyError, "second")])])
        `;
        const { error } = await run(kernel, cell);
        expect(error?.name).toBe("ExceptionGroup");
        for (const part of [
          "several (2 sub-exceptions)",
          "ValueError: first",
          "KeyError: 'second'",
          "raise kind(text)",
        ]) {
          expect(error?.traceback).toContain(part);
        }
      },
      { python: "3.11" },
    );

    test(
      "notes added to an exception are shown",
      async (kernel) => {
        const { error } = await run(kernel, "e = ValueError('x')\ne.add_note('try y instead')\nraise e");
        expect(error?.traceback).toContain("try y instead");
      },
      { python: "3.11" },
    );

    test("endless recursion is a RecursionError with a short traceback", async (kernel) => {
      const { error } = await run(kernel, "def again(): return again()\nagain()");
      expect(error?.name).toBe("RecursionError");
      expect(error?.traceback).toContain("def again(): return again()");
      expect(error?.traceback.split("\n").length).toBeLessThan(100);
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("a repr that recurses for ever is also a RecursionError", async (kernel) => {
      const { events } = await run(kernel, "class A:\n    def __repr__(self): return repr(self)\nA()");
      expect(JSON.stringify(events)).toContain("RecursionError");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("running out of memory is a MemoryError, and the kernel lives", async (kernel) => {
      const { error } = await run(kernel, "kept = 1\nbytearray(10 ** 16)");
      expect(error?.name).toBe("MemoryError");
      expect(await printed(kernel, "print(kept)")).toBe("1\n");
    });

    test("a very long message arrives whole", async (kernel) => {
      const { error } = await run(kernel, "raise ValueError('x' * 1_000_000)");
      expect(error?.message.length).toBe(1_000_000);
    });

    test("a message that is no valid text arrives", async (kernel) => {
      const { outcome, error } = await run(kernel, py`raise ValueError("half \ud83d pair")`);
      expect(outcome).toBe("error");
      expect(error?.message).toMatch(/^half .+ pair$/);
    });

    test("a form feed or a line separator inside a line does not shift the lines that are shown", async (kernel) => {
      const { error } = await run(
        kernel,
        py`
        a = "x\fy\u2028z"
        b = 2
        1 / 0  # here
      `
          .replace("\\f", "\f")
          .replace("\\u2028", "\u2028"),
      );
      expect(error?.traceback).toContain("1 / 0  # here");
    });

    test("effects of a cell before its failure stay", async (kernel) => {
      await run(kernel, "before = 'kept'\n1/0\nafter = 'never'");
      expect(await printed(kernel, "print(before, 'after' in globals())")).toBe("kept False\n");
    });

    test("an exception in a thread is printed on stderr and ends only the thread", async (kernel) => {
      const cell = py`
        import threading
        def work():
            raise ValueError("in a thread")
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
      `;
      const { outcome, stderr } = await run(kernel, cell);
      expect(outcome).toBe("ok");
      expect(stderr).toContain("ValueError: in a thread");
      expect(stderr).toContain('raise ValueError("in a thread")');
    });
  });
}
