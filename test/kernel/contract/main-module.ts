import { printed, run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";

export function describeMainModule({ test }: Contract): void {
  describe("code in cells is a program like any other", () => {
    test("__name__ is __main__, and names are found where programs look for them", async (kernel) => {
      const cell = py`
        import sys
        if __name__ == "__main__":
            here = sys.modules["__main__"]
            print(here.__dict__ is globals(), sys.argv, here.cell_variable)
      `;
      await run(kernel, "cell_variable = 'found'");
      expect(await printed(kernel, cell)).toMatch(/^True \[.*\] found\n$/);
    });

    test(
      "a library that looks for the program's file finds nothing of the kernel's own package",
      async (kernel) => {
        const cell = py`
        import argparse, inspect, os, sys
        import __main__
        outermost = inspect.currentframe()
        while outermost.f_back: outermost = outermost.f_back
        found = [
            getattr(__main__, "__file__", None),
            getattr(__main__, "__cached__", None),
            __main__.__spec__,
            __main__.__loader__,
            globals().get("__file__"),
            sys.argv[0],
            os.path.abspath(sys.argv[0]),
            argparse.ArgumentParser().prog,
            outermost.f_globals.get("__file__"),
            outermost.f_globals.get("__spec__"),
            outermost.f_globals.get("__loader__"),
            *getattr(sys, "orig_argv", []),
            *sys.path,
        ]
        print([str(one) for one in found if "granary_runner" in str(one)])
      `;
        expect(await printed(kernel, cell)).toBe("[]\n");
      },
      { fresh: true }, // IPython's reset takes __spec__ away.
    );

    test("programs that look at their own name and arguments run in a cell", async (kernel) => {
      const cell = py`
        import logging, optparse, pydoc, sys, unittest, warnings
        warnings.warn("warned here")
        logging.basicConfig(format="%(filename)s %(message)s")
        logging.warning("logged")
        class Small(unittest.TestCase):
            def test_sum(self): self.assertEqual(1 + 1, 2)
        tests = unittest.main(argv=sys.argv[:1], exit=False)
        help_text = pydoc.render_doc(sys.modules["__main__"], renderer=pydoc.plaintext)
        print(tests.result.wasSuccessful(), optparse.OptionParser().get_prog_name() is not None, "class Small" in help_text)
      `;
      const { stdout, stderr, outcome } = await run(kernel, cell);
      expect({ stdout, outcome }).toEqual({ stdout: "True True True\n", outcome: "ok" });
      expect(stderr).toContain("UserWarning: warned here");
      expect(stderr).not.toContain("granary_runner");
    });

    test("objects of classes defined in a cell can be pickled", async (kernel) => {
      const define = py`
        import dataclasses, enum, pickle
        @dataclasses.dataclass
        class Point:
            x: int
            y: int
        class Colour(enum.Enum):
            RED = 1
        def double(x): return 2 * x
      `;
      await run(kernel, define);
      const cell = "pickle.loads(pickle.dumps([Point(1, 2), Colour.RED, double])) == [Point(1, 2), Colour.RED, double]";
      expect((await run(kernel, cell)).result).toEqual({ "text/plain": "True" });
    });

    test("inspect.getsource finds functions and classes of every cell", async (kernel) => {
      await run(kernel, "import inspect\n\ndef first(x):\n    return x  # one");
      await run(kernel, "class Second:\n    '''Two.'''\n    def method(self):\n        return 2");
      const first = await printed(kernel, "print(inspect.getsource(first))");
      expect(first.trimEnd()).toBe("def first(x):\n    return x  # one");
      expect(await printed(kernel, "print(inspect.getsource(Second))")).toContain("class Second:\n    '''Two.'''");
      expect(await printed(kernel, "print(inspect.getsource(Second.method))")).toContain("return 2");
    });

    test("annotations are evaluated unless the user's own __future__ import says otherwise", async (kernel) => {
      expect(await printed(kernel, "def f(x: int): pass\nprint(f.__annotations__)")).toBe("{'x': <class 'int'>}\n");
      const own = "from __future__ import annotations\ndef f(x: int): pass\nprint(f.__annotations__)";
      expect(await printed(kernel, own)).toBe("{'x': 'int'}\n");
    });

    test("modules beside the working directory can be imported", async (kernel) => {
      await run(kernel, "import pathlib\nn = pathlib.Path('neighbour.py').write_text('value = 42')");
      expect(await printed(kernel, "import neighbour\nprint(neighbour.value)")).toBe("42\n");
    });

    for (const method of ["fork", "spawn", "forkserver"]) {
      test(`multiprocessing with ${method} runs functions defined in cells`, async (kernel) => {
        await run(kernel, "import multiprocessing, os\noffset = 100\ndef work(x):\n    return x * x + offset");
        const cell = py`
          with multiprocessing.get_context("${method}").Pool(2) as pool:
              print(pool.map(work, range(4)))
        `;
        const { stdout, stderr, error } = await run(kernel, cell);
        expect(error).toBe(undefined);
        expect(stdout).toBe("[100, 101, 104, 109]\n");
        expect(stderr).toBe("");
      });

      test(`output of a process started with ${method} is shown`, async (kernel) => {
        await run(
          kernel,
          "import multiprocessing, sys\ndef speak():\n    print('out')\n    print('err', file=sys.stderr)",
        );
        const cell = py`
          child = multiprocessing.get_context("${method}").Process(target=speak)
          child.start()
          child.join()
          child.exitcode
        `;
        const { stdout, stderr, result } = await run(kernel, cell);
        expect({ stdout, stderr, result }).toEqual({ stdout: "out\n", stderr: "err\n", result: { "text/plain": "0" } });
      });
    }

    test("ProcessPoolExecutor runs functions defined in cells", async (kernel) => {
      await run(kernel, "from concurrent.futures import ProcessPoolExecutor\ndef cube(x): return x ** 3");
      const cell = "with ProcessPoolExecutor(2) as pool: print(list(pool.map(cube, range(4))))";
      expect(await printed(kernel, cell)).toBe("[0, 1, 8, 27]\n");
    });

    test("a failing worker process tells where it failed", async (kernel) => {
      await run(kernel, "import multiprocessing\ndef fail(x):\n    raise ValueError(x)  # in the worker");
      const cell = "with multiprocessing.get_context('fork').Pool(1) as pool: pool.map(fail, ['bad'])";
      const { error } = await run(kernel, cell);
      expect(error).toMatchObject({ name: "ValueError", message: "bad" });
      expect(error?.traceback).toContain("raise ValueError(x)  # in the worker");
    });

    test("doctest finds the examples of a cell", async (kernel) => {
      await run(kernel, 'def twice(x):\n    """\n    >>> twice(2)\n    4\n    """\n    return 2 * x');
      expect((await run(kernel, "import doctest\ndoctest.testmod()")).result).toEqual({
        "text/plain": "TestResults(failed=0, attempted=1)",
      });
    });

    test("unittest.main runs the tests of a cell", async (kernel) => {
      const cell = py`
        import unittest
        class Small(unittest.TestCase):
            def test_sum(self): self.assertEqual(1 + 1, 2)
        unittest.main(argv=[""], exit=False)
      `;
      const { stderr, outcome } = await run(kernel, cell);
      expect(outcome).toBe("ok");
      expect(stderr).toContain("Ran 1 test");
    });

    test("type hints, dataclasses and generics defined in cells resolve", async (kernel) => {
      const cell = py`
        import dataclasses, typing
        @dataclasses.dataclass
        class Node:
            next: "typing.Optional[Node]" = None
        typing.get_type_hints(Node)["next"] == typing.Optional[Node]
      `;
      expect((await run(kernel, cell)).result).toEqual({ "text/plain": "True" });
    });
  });
}
