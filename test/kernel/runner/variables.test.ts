import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KernelError } from "../../../src/kernel/errors.ts";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import type { VariableLimits, VariableListing } from "../../../src/kernel/variables.ts";
import { environment, newestPython } from "../../environment/pythons.ts";
import { testedPythons } from "../../environment/variants.ts";
import { printed, run, runAndWhenReady } from "../collect.ts";
import { py } from "../py.ts";
import { startRunner, temporaryFolder } from "./start-runner.ts";

const timeoutMs = 20_000; // on a machine that has much else to do

let kernel: Kernel;

for (const python of testedPythons()) {
  describe(`variables, on Python ${python.version}`, () => {
    beforeEach(async () => {
      kernel = await startRunner(python.path);
    });
    afterEach(() => kernel.close());

    test("each has a name, a type, a size and a short value", async () => {
      await run(kernel, "name = 'Ada'\nscores = {'a': [1, 2.5], 'b': None}");
      const { variables, total } = await list();
      expect(total).toBe(2);
      expect(variables).toEqual([
        expect.objectContaining({ name: "name", kind: "data", type: "str", module: null, length: 3, value: "'Ada'" }),
        expect.objectContaining({ name: "scores", type: "dict", length: 2, value: "{'a': [1, 2.5], 'b': None}" }),
      ]);
      expect(variables.every(({ size }) => size !== null && size > 0)).toBe(true);
    });

    test("data comes first, then functions, classes and modules, each in the order of definition", async () => {
      await run(kernel, "import sys, os\nclass Late: pass\ndef late(a, *, b): pass\nz = 1\na = Late()");
      expect((await list()).variables.map(({ name, kind, value }) => [name, kind, value])).toEqual([
        ["z", "data", "1"],
        ["a", "data", "<Late object>"],
        ["late", "function", "late(a, *, b)"],
        ["Late", "class", "class Late"],
        ["sys", "module", "module sys"],
        ["os", "module", "module os"],
      ]);
    });

    test("nothing of Granary's or Python's own, and no results, are among them", async () => {
      expect(await list()).toEqual({ variables: [], total: 0 });
      await run(kernel, "'a result'");
      await run(kernel, "_private = 1\n'another'");
      expect(await list()).toEqual({ variables: [], total: 0 });
    });

    test("omitted variables are counted", async () => {
      await run(kernel, "for i in range(50): globals()[f'v{i}'] = 'x' * 1000");
      const { variables, total } = await list({ maxVariables: 3, maxValueCharacters: 10 });
      expect(total).toBe(51);
      expect(variables.map(({ name, value }) => [name, value])).toEqual([
        ["i", "49"],
        ["v0", "'xxxxxxxx…"],
        ["v1", "'xxxxxxxx…"],
      ]);
    });

    test.each([
      ["sleeps", "import time\nprint('ready', flush=True)\nwhile not stop: time.sleep(0.01)"],
      ["computes", "print('ready', flush=True)\nwhile not stop: sum(range(1000))"],
      ["awaits", "import asyncio\nprint('ready', flush=True)\nwhile not stop: await asyncio.sleep(0.01)"],
    ])("they are listed while a cell %s, and show where it is", async (_what, loop) => {
      const waiting = `stop = []\nstep = 'before'\nstep = 'inside'\n${loop}\nstep = 'after'`;
      let during: Promise<VariableListing> | undefined;
      const cell = await runAndWhenReady(kernel, waiting, () => {
        during = list();
        void during.finally(() => kernel.interrupt());
      });
      expect(cell.outcome).toBe("interrupted");
      expect(shown(await during, "step")).toBe("'inside'");
    });

    test("a cell that adds and deletes variables all the time disturbs nothing", async () => {
      const churning = py`
        kept, growing, members, several = "kept", {}, set(), []
        print("ready", flush=True)
        n = 0
        while True:
            n += 1
            growing[n % 1000] = members.add(n % 997) or n
            globals()["v%d" % (n % 50)] = several
            growing.pop(n * 7 % 1000, None); members.discard(n * 5 % 997)
            globals().pop("v%d" % (n * 3 % 50), None)
            several.append(n); del several[: n % 3]
      `;
      const listings: VariableListing[] = [];
      const look = async (): Promise<void> => {
        while (listings.length < 50) listings.push(await list());
      };
      let looking: Promise<void> | undefined;
      const cell = await runAndWhenReady(kernel, churning, () => {
        looking = look().finally(() => kernel.interrupt());
      });
      await looking;
      expect(cell.outcome).toBe("interrupted");
      expect(listings.map((listing) => shown(listing, "kept"))).toEqual(Array(50).fill("'kept'"));
    });

    test("no user code runs, even if classes redefine everything", async () => {
      expect((await run(kernel, everythingRedefined)).error).toBe(undefined);
      const { variables } = await list();
      expect(variables.map(({ name, type, length, value }) => [name, type, length, value])).toEqual([
        ["ran", "list", 0, "[]"],
        ["odd", "Odd", null, "<Odd object>"],
        ["nested", "list", 2, "[<Odd object>, {<Odd object>: (<Odd object>,)}]"],
        ["text", "Text", 4, "Text('text')"],
        ["items", "Items", 2, "Items([1, 2])"],
        ["table", "Table", 1, "Table({'a': 1})"],
        ["number", "Number", null, "Number(7)"],
        ["failure", "Failure", null, "Failure('why')"],
        ["Meta", "type", null, "class Meta(type)"],
        ["Odd", "Meta", null, "class Odd"],
        ["Text", "type", null, "class Text(str)"],
        ["Items", "type", null, "class Items(list)"],
        ["Table", "type", null, "class Table(dict)"],
        ["Number", "type", null, "class Number(int)"],
        ["Failure", "type", null, "class Failure(Exception)"],
        ["Lazy", "type", null, "class Lazy(module)"],
        ["lazy", "Lazy", null, "module lazy"],
      ]);
      expect(await printed(kernel, "print(ran)")).toBe("[]\n");
    });

    test("while C code holds Python's lock, the answer is an error that says so, and later requests work", async () => {
      const gate = join(temporaryFolder(), "gate");
      const holding = py`
        import ctypes, os
        os.mkfifo(${JSON.stringify(gate)})
        gate = os.open(${JSON.stringify(gate)}, os.O_RDWR)
        print("ready", flush=True)
        n = ctypes.PyDLL(None).read(gate, ctypes.create_string_buffer(1), 1)
      `;
      let refused: Promise<unknown> | undefined;
      const askUntilRefused = async (): Promise<unknown> => {
        try {
          for (;;) await list({ timeoutMs: 100 });
        } catch (error) {
          return error;
        } finally {
          await writeFile(gate, "x");
        }
      };
      const cell = await runAndWhenReady(kernel, holding, () => {
        refused = askUntilRefused();
      });
      expect(await refused).toBeInstanceOf(KernelError);
      expect(await refused).toMatchObject({
        code: "not-answered",
        message: expect.stringContaining("not answered within 0.1 s"),
      });
      expect(cell.outcome).toBe("ok");
      expect(shown(await list(), "n")).toBe("1");
    });
  });
}

describe("variables", () => {
  beforeEach(async () => {
    kernel = await startRunner(newestPython().path);
  });
  afterEach(() => kernel.close());

  test("the caller can stop waiting", async () => {
    const reason = new Error("enough");
    await expect(kernel.variables?.({}, AbortSignal.abort(reason))).rejects.toBe(reason);
    const waiting = new AbortController();
    const listing = kernel.variables?.({}, waiting.signal);
    waiting.abort(reason);
    await expect(listing).rejects.toBe(reason);
  });

  test("a cell that breaks what the answer needs gets an error instead of silence", async () => {
    await run(kernel, "import builtins\nbuiltins.list = None");
    await expect(list()).rejects.toMatchObject({ code: "not-answered", message: expect.stringContaining("TypeError") });
    expect(await printed(kernel, "print('cells run')")).toBe("cells run\n");
  });

  test("a value that the cell drops while it is described, and that never goes, stops neither output nor input()", async () => {
    await run(
      kernel,
      py`
        import sys, time, _thread
        sys.setswitchinterval(1e-6)
        _main, elsewhere = _thread.get_ident(), []
        class Stubborn(list):
            def __del__(self):
                if _thread.get_ident() == _main: return
                elsewhere.append(1)
                while True: time.sleep(1)
      `,
    );
    const cell = py`
      print("ready", flush=True)
      while not elsewhere: stubborn = Stubborn(range(1000))
      input("? ")
    `;
    let asked = false;
    const look = async (): Promise<void> => {
      while (!asked) await list({ timeoutMs: 100, maxValueCharacters: 3000 }).catch(() => undefined);
    };
    let looking: Promise<void> | undefined;
    const answer = async (): Promise<string> => {
      asked = true;
      return "answered";
    };
    const { result } = await runAndWhenReady(kernel, cell, () => (looking = look()), { answer });
    await looking;
    expect(result).toEqual({ "text/plain": "'answered'" });
    expect(shown(await list(), "elsewhere")).toMatch(/^\[1/);
  });

  test("a kernel that has ended says so", async () => {
    await kernel.close();
    await expect(list()).rejects.toMatchObject({ code: "kernel-closed" });
  });

  test("nothing is loaded for them before the first request", async () => {
    const loaded =
      "import sys\nprint(sorted(m for m in sys.modules if m.endswith(('.variables', '.sketches', '.type_facts'))))";
    expect(await printed(kernel, loaded)).toBe("[]\n");
    await list();
    expect(await printed(kernel, loaded)).toContain("granary_runner.values.variables");
  });
});

const main = environment("main");

test.skipIf("missing" in main)("arrays and tables tell their shape and size", async () => {
  kernel = await startRunner("python" in main ? main.python : "");
  try {
    await run(
      kernel,
      py`
      import numpy as np, pandas as pd
      grid = np.arange(6.0).reshape(2, 3)
      one = np.int32(4)
      frame = pd.DataFrame({"a": [1, 2], "b": [0.5, 1.5]})
      column = frame["b"]
      class Mine(np.ndarray):
          def __repr__(self): raise RuntimeError
          shape = property(__repr__)
      mine = np.arange(3).view(Mine)
    `,
    );
    const { variables } = await list();
    const data = variables
      .filter(({ kind }) => kind === "data")
      .map(({ name, type, shape, size, value }) => [name, type, shape, size, value]);
    expect(data).toEqual([
      ["grid", "ndarray", [2, 3], 48, "array of float64: [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]"],
      ["one", "int32", null, null, "int32(4)"],
      ["frame", "DataFrame", [2, 2], 32, "columns: ['a', 'b']"],
      ["column", "Series", [2], 16, "series of float64: [0.5, 1.5]"],
      ["mine", "Mine", null, null, "<Mine object>"],
    ]);
  } finally {
    await kernel.close();
  }
});

/** Every known way for a class to run its own code when a value is inspected; each records that it ran. */
const everythingRedefined = py`
  ran = []
  def _noted(name):
      def note(*_, **__):
          ran.append(name)
          raise RuntimeError(name)
      return note

  _attributes = "__class__ __dict__ __name__ __module__ __bases__ __mro__ args items keys shape dtype".split()
  _properties = {name: property(_noted(name)) for name in _attributes}
  class Meta(type): locals().update(_properties)
  class Odd(metaclass=Meta): locals().update(_properties)
  class Text(str): locals().update(_properties)
  class Items(list): locals().update(_properties)
  class Table(dict): locals().update(_properties)
  class Number(int): locals().update(_properties)
  class Failure(Exception): locals().update(_properties)
  class Lazy(type(__builtins__)): locals().update(_properties)
  odd = Odd()
  nested = [odd, {odd: (odd,)}]
  text, items, table, number = Text("text"), Items([1, 2]), Table(a=1), Number(7)
  failure, lazy = Failure("why"), Lazy("lazy")

  # Only now, since making the values above needs some of them.
  _methods = """getattribute getattr dir repr str format len length_hint bool iter next getitem contains hash eq ne lt
      index int float sizeof reduce reduce_ex instancecheck subclasscheck call get""".split()
  for _class in (Failure, Lazy, Number, Table, Items, Text, Odd, Meta):
      for _name in _methods: type.__setattr__(_class, "__%s__" % _name, _noted(_name))
  ran.clear()
`;

function list(limits?: VariableLimits): Promise<VariableListing> {
  return (
    kernel.variables?.({ timeoutMs, ...limits }) ?? Promise.reject(new Error("This kernel cannot list its variables."))
  );
}

function shown(listing: VariableListing | undefined, name: string): string | undefined {
  return listing?.variables.find((variable) => variable.name === name)?.value;
}
