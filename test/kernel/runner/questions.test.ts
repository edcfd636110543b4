import { rm } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import { firstFew, isLong, testedPythons } from "../../environment/variants.ts";
import { printed, run } from "../collect.ts";
import { py } from "../py.ts";
import { startRunner, temporaryFolder } from "./start-runner.ts";

const exceptions = ["SystemExit", "KeyboardInterrupt", "GeneratorExit", "RecursionError", "MemoryError", "Own"];

/** A value that raises at every access, under every special name. */
const hostile = (exception: string): string => py`
  import sys, types
  class Own(BaseException): pass
  armed = False
  def fail(*args, **options):
      if armed: raise ${exception}()
      return NotImplemented
  class Meta(type):
      def __getattribute__(cls, name): return fail() and type.__getattribute__(cls, name)
      def __hash__(cls): return fail() and 1
      __eq__ = __instancecheck__ = __subclasscheck__ = __dir__ = __repr__ = fail
  class Hostile(metaclass=Meta):
      named = 1
      slow = property(fail)
      __doc__ = __signature__ = __wrapped__ = __name__ = __class__ = property(fail)
      __dir__ = __getattr__ = __repr__ = __str__ = __len__ = __eq__ = __hash__ = __call__ = __iter__ = __bool__ = fail
      columns = property(fail)
  x = Hostile()
  class Picky(dict):
      __getitem__ = __iter__ = keys = items = __len__ = __getattr__ = __dir__ = fail
  d = Picky(first=1)
  lazy = types.ModuleType("lazy")
  lazy.__getattr__ = lazy.__dir__ = fail
  lazy.here = 1
  sys.modules["lazy"] = lazy
  class Late(types.ModuleType):
      def __getattribute__(self, name): return fail() and object.__getattribute__(self, name)
      __dir__ = fail
  late = sys.modules["late"] = Late("late")
  class Word(str):
      __eq__ = __hash__ = startswith = __getitem__ = __lt__ = fail
  class Words:
      def __dir__(self): return [Word("odd"), "even", 5, None]
  words = Words()
  kept = "kept"
  armed = True
`;

const everyQuestion = [
  "x.|",
  "x.slow|",
  "x.slow.|",
  "x.slow.a.|",
  "x.y.z|",
  "x['|",
  "d['|",
  "d.|",
  "lazy.|",
  "lazy.a.|",
]
  .concat(["late.|", "late.a.b|", "words.|", "Hostile.|", "Hostile.a.|", "x(|", "from lazy import |", "import late.|"])
  .concat(["from late.deep import |", "from lazy.deep import x|", "x?|", "x|"]);

for (const python of testedPythons()) {
  describe(`questions, on Python ${python.version}`, () => {
    let kernel: Kernel;
    let folder: string;

    beforeEach(async () => {
      folder = temporaryFolder();
      kernel = await startRunner(python.path, { cwd: folder });
    });
    afterEach(async () => {
      await kernel.close();
      await rm(folder, { recursive: true, force: true });
    });

    const matches = async (marked: string): Promise<readonly string[]> =>
      (await kernel.complete(marked.replace("|", ""), marked.indexOf("|"))).matches;
    const described = async (marked: string): Promise<string> =>
      String((await kernel.inspect(marked.replace("|", ""), marked.indexOf("|")))["text/plain"] ?? "");
    const askEverything = async (questions: readonly string[]): Promise<void> => {
      for (const question of questions) {
        await matches(question);
        await described(question);
      }
    };

    test.each(exceptions)("no value that raises %s at every touch ends Python", async (exception) => {
      expect((await run(kernel, hostile(exception))).outcome).toBe("ok");
      await askEverything(everyQuestion);
      const listing = await kernel.variables?.();
      expect(listing?.variables.map(({ name }) => name)).toContain("x");
      expect(await printed(kernel, "print(kept)")).toBe("kept\n");
    });

    test.each(exceptions)("what needs no code of a value that raises %s is still told", async (exception) => {
      expect((await run(kernel, hostile(exception))).outcome).toBe("ok");
      expect(await matches("x.nam|")).toEqual(["named"]);
      expect(await matches("d['fi|")).toEqual(["first"]);
      expect(await matches("lazy.he|")).toEqual(["here"]);
      expect(await matches("words.|")).toEqual(["even", "odd"]);
      expect(await described("x|")).toContain("Hostile");
      expect(await described("lazy|")).toContain("module");
    });

    test.each([
      ["a working folder that was deleted", "import os, shutil\nshutil.rmtree(os.getcwd())"],
      ["a sys.path with things that are no folders", "import sys\nsys.path[:0] = [5, None, b'x', '\\0', [], object()]"],
      ["a sys.path that is no list", "import sys\nsys.path = None"],
      ["an empty sys.path", "import sys\nsys.path.clear()"],
      ["a finder that leaves Python", "import sys\nsys.meta_path.insert(0, type('F', (), {'find_spec': exit})())"],
      ["a path hook that leaves Python", "import sys\nsys.path_hooks.insert(0, exit)\nsys.path_importer_cache.clear()"],
      ["modules that are no modules", "import sys\nsys.modules.update(re=5, inspect=None, pkgutil=object(), os='x')"],
      ["an import of its own", "import builtins\nbuiltins.__import__ = exit"],
      ["little room on the stack", "import sys\nsys.setrecursionlimit(60)"],
      ["a tracer that leaves Python", "import sys\nsys.settrace(lambda *args: exit())"],
    ])("questions do no harm with %s", async (_what, cell) => {
      await run(kernel, "kept = 'kept'");
      await run(kernel, cell);
      await askEverything([
        "import o|",
        "from o|",
        "import os.|",
        "from os import |",
        "kep|",
        "kept.|",
        "open('|",
        "%t|",
      ]);
      expect((await run(kernel, "kept")).result).toEqual({ "text/plain": "'kept'" });
    });

    test("modules are completed also where the working folder is gone and sys.path has odd entries", async () => {
      await run(kernel, "import os, shutil, sys\nsys.path.append(5)\nshutil.rmtree(os.getcwd())");
      expect(await matches("import colle|")).toContain("collections");
      expect(await matches("from collections import Ordered|")).toContain("OrderedDict");
    });

    test.each([
      ["import |", `import ${"x.".repeat(5000)}|`],
      ["import os.|", `import ${"os.".repeat(5000)}|`],
      ["from … import |", `from ${"x.".repeat(5000)}y import |`],
      ["from . import |", `from ${".".repeat(5000)} import |`],
      ["name.|", `${"os.".repeat(50_000)}|`],
      ["brackets", `${"(".repeat(50_000)}|`],
      ["keys", `${"a['".repeat(20_000)}|`],
      ["one long name", `${"a".repeat(1_000_000)}|`],
    ])("names of any depth do no harm: %s", async (_what, question) => {
      await run(kernel, "import os");
      await askEverything([question]);
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("a module that loads more of itself when asked is not loaded by a question, and still completed", async () => {
      const define = py`
        import os, sys
        os.makedirs("pack")
        open("pack/__init__.py", "w").write("def __getattr__(name):\n    import importlib\n    return importlib.import_module('pack.' + name)\ndef __dir__(): return ['late']\n")
        open("pack/late.py", "w").write("raise SystemExit('loaded')\ndef found(): pass\n")
        import pack
      `;
      await run(kernel, define);
      expect(await matches("pack.la|")).toEqual(["late"]);
      expect(await matches("pack.late.fo|")).toEqual(["found"]);
      expect(await printed(kernel, "print('pack.late' in sys.modules)")).toBe("False\n");
    });

    // Each of these would keep the next cell waiting for ever.
    const endless = [
      ["sleeps", "time.sleep(600)"],
      ["computes", "while True: pass"],
      ["waits for a lock", "lock = threading.Lock(); lock.acquire(); lock.acquire()"],
      ["waits for a child", "subprocess.run(['sleep', '600'])"],
      ["names attributes without end", "yield from (str(n) for n in itertools.count())"],
      ["catches what interrupts it", "while True:\n        try: time.sleep(600)\n        except BaseException: pass"],
      [
        "catches it in a function",
        "def f():\n        try: time.sleep(600)\n        except BaseException: return\n    while True: f()",
      ],
      // Both of what two above do.
      [
        "catches it also while it computes",
        "while True:\n        try:\n            while True: pass\n        except: continue",
      ],
    ] as const;
    test.each(firstFew(endless, 7))(
      "code of a value that %s does not keep the next cell waiting",
      async (what, code) => {
        const define = py`
        import itertools, subprocess, sys, threading, time
        class Slow:
            named = 1
            def __getattr__(self, name): return self.slow()
            @property
            def prop(self): return self.slow()
            @property
            def __doc__(self): return self.slow()
            def __dir__(self): return self.slow()
        value = Slow()
      `;
        await run(kernel, define);
        await run(kernel, `def slow(self):\n    ${code}\nSlow.slow = slow`);
        await matches("value.|");
        // A second of computing for each question: those that wait ask all of them.
        if (isLong || what !== "computes") {
          await matches("value.prop.|");
          expect(await described("value|")).toContain("Slow");
        }
        expect(await printed(kernel, "print('next', sys.gettrace())")).toBe("next None\n");
      },
    );

    test("the timeout of a question reaches no cell", async () => {
      await run(kernel, "import time\nclass Slow:\n    def __dir__(self): time.sleep(600)\nvalue = Slow()");
      for (let round = 0; round < 3; round++) {
        await matches("value.|");
        const { outcome, stdout } = await run(kernel, "for _ in range(20000): pass\ntime.sleep(0.1)\nprint('whole')");
        expect({ outcome, stdout }).toEqual({ outcome: "ok", stdout: "whole\n" });
      }
    });

    test("an interrupt sent to a cell that still waits for a question stops that cell, and no other", async () => {
      await run(kernel, "import time\nclass Slow:\n    def __dir__(self): time.sleep(600)\nvalue = Slow()");
      for (let round = 0; round < 3; round++) {
        const question = matches("value.|");
        const cell = run(kernel, "time.sleep(600)");
        await kernel.interrupt();
        expect((await cell).outcome).toBe("interrupted");
        await question;
        expect(await printed(kernel, "time.sleep(0.05)\nprint('fine')")).toBe("fine\n");
      }
    });

    test("a question about a value that signals itself interrupts nothing", async () => {
      const define = py`
        import _thread, os, signal
        class Noisy:
            def __dir__(self):
                os.kill(os.getpid(), signal.SIGINT)
                _thread.interrupt_main()
                return ["named"]
        value = Noisy()
      `;
      await run(kernel, define);
      expect(await matches("value.|")).toEqual(["named"]);
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("a value that forks, asks for input or replaces the streams while it is looked at does no harm", async () => {
      const define = py`
        import os, sys
        class Busy:
            def __dir__(self):
                os.fork()
                return ["named"]
            @property
            def asks(self): return input("?")
            @property
            def closes(self): sys.stdout = None; sys.__stdout__.close()
        value = Busy()
      `;
      await run(kernel, define);
      expect(await matches("value.|")).toEqual(["named"]);
      expect(await matches("value.asks.|")).toEqual([]);
      expect(await matches("value.closes.|")).toEqual([]);
      await run(kernel, "sys.stdout = sys.__stdout__");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });
  });
}
