import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import { newestPython, oldestPython } from "../../environment/pythons.ts";
import { printed, run } from "../collect.ts";
import { py } from "../py.ts";
import { startRunner } from "./start-runner.ts";

const define = py`
  import inspect
  def double(x):
      return x * 2

  class Thing:
      def method(self): return 1
`;

for (const python of [oldestPython(), newestPython()]) {
  describe(`code that asks inspect for the file of a cell, on Python ${python.version}`, () => {
    const start = (): Promise<Kernel> => startRunner(python.path);

    test("gets a file with the cell's source, which only its owner can read and which ends with the kernel", async () => {
      let folder: string;
      {
        await using kernel = await start();
        await run(kernel, define);
        const facts = py`
          import os, stat
          files = {inspect.getfile(double), inspect.getsourcefile(double), inspect.getfile(Thing), inspect.getsourcefile(Thing.method)}
          [file] = files
          with open(file) as opened: source = opened.read()
          print([os.path.basename(file), source == In[1], oct(stat.S_IMODE(os.stat(os.path.dirname(file)).st_mode))])
        `;
        expect(await printed(kernel, facts)).toBe("['cell_1.py', True, '0o700']\n");
        folder = (await printed(kernel, "print(os.path.dirname(file), end='')")) as string;
        expect(existsSync(folder)).toBe(true);
      }
      expect(existsSync(folder)).toBe(false);
    });

    test("gets the file of the code it asked for, also after os.chdir and for a cell that came later", async () => {
      await using kernel = await start();
      await run(kernel, define);
      await run(kernel, "def double(x):\n    return x + x");
      const cell = "import os; os.chdir('/')\nprint(open(inspect.getfile(double)).read())";
      expect(await printed(kernel, cell)).toBe("def double(x):\n    return x + x\n");
    });

    test("finds the names of cells unchanged everywhere else", async () => {
      await using kernel = await start();
      await run(kernel, define);
      const cell = py`
        import doctest, logging, pdb, traceback, warnings
        inspect.getfile(double)
        def fails():
            """
            >>> fails()
            3
            """
            1 / 0
        print(double.__code__.co_filename, inspect.getframeinfo(inspect.currentframe()).filename)
        print(inspect.getsource(double).splitlines()[0], inspect.getsource(Thing).splitlines()[0])
        try:
            fails()
        except ZeroDivisionError:
            print(traceback.format_exc())
        doctest.run_docstring_examples(fails, globals())
      `;
      const { stdout } = await run(kernel, cell);
      expect(stdout).toContain("<cell 1> <cell 2>\ndef double(x): class Thing:\n");
      expect(stdout).toContain('File "<cell 2>", line 8, in fails\n    1 / 0\n');
      expect(stdout).toContain('File "__main__", line 5, in NoName\n');
      expect(stdout).not.toContain("cell_");
    });

    test("gets an error as in any Python for what has no file", async () => {
      await using kernel = await start();
      const cell = py`
        import inspect
        exec(compile("def made(): pass", "<made>", "exec"))
        print(inspect.getfile(made), inspect.getsourcefile(made), inspect.getfile(inspect) == inspect.__file__)
        for builtin in (len, int, inspect.sys):
            try: inspect.getfile(builtin)
            except TypeError as error: print("TypeError", "granary" in str(error))
      `;
      expect(await printed(kernel, cell)).toBe("<made> None True\nTypeError False\nTypeError False\nTypeError False\n");
    });

    test("gets the name of the cell where no file can be written", async () => {
      await using kernel = await start();
      await run(kernel, define);
      await run(kernel, "import tempfile; tempfile.tempdir = '/does/not/exist'");
      expect(await printed(kernel, "print(inspect.getfile(double))")).toBe("<cell 1>\n");
    });
  });
}
