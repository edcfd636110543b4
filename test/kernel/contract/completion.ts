import type { Kernel } from "../../../src/kernel/kernel.ts";
import { printed, run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";

export function describeCompletion({ test }: Contract): void {
  describe("completion and inspection", () => {
    test("names of the user, of Python, and attributes are completed", async (kernel) => {
      await run(kernel, "import os\nlong_variable_name = 1");
      expect(await completed(kernel, "long_var|")).toContain("long_variable_name");
      expect(await completed(kernel, "prin|")).toContain("print");
      expect(await completed(kernel, "os.path.joi|")).toContain("os.path.join");
      expect(await completed(kernel, "x = [long_var|]")).toContain("x = [long_variable_name]");
    });

    test("the cursor may be anywhere in the code, even after wide characters", async (kernel) => {
      await run(kernel, "import os");
      expect(await completed(kernel, "'👩‍🚀'; os.getc| # é")).toContain("'👩‍🚀'; os.getcwd # é");
      expect(await completed(kernel, "x = 1\nos.getc|\ny = 2")).toContain("x = 1\nos.getcwd\ny = 2");
    });

    test("keys, arguments and items of containers are completed, also after surrogate pairs", async (kernel) => {
      const define = py`
        prices = {"apple": 1, "gr\xf6\xdfe \U0001F600": 2, "it's": 3}
        nested = {"a": {"inner": "text"}}
        def order(what, amount=1, *, express=False): ...
      `;
      await run(kernel, define);
      expect(await completed(kernel, "prices['ap|")).toEqual(["prices['apple"]);
      expect(await completed(kernel, "'😀👩‍🚀'; prices[\"gr|\"] # 😀")).toEqual([
        "'😀👩‍🚀'; prices[\"größe 😀\"] # 😀",
      ]);
      expect(await completed(kernel, "nested['a']['|")).toEqual(["nested['a']['inner"]);
      expect(await completed(kernel, "nested['a']['inner'].upp|")).toEqual(["nested['a']['inner'].upper"]);
      expect(await completed(kernel, "order(1, am|")).toContain("order(1, amount=");
      expect(await completed(kernel, "print(f'{prices.ite|")).toContain("print(f'{prices.items");
    });

    test("files are completed in strings and in commands", async (kernel) => {
      await run(kernel, "import os; os.mkdir('data_folder'); open('data_folder/table.csv', 'w').close()");
      expect(await completed(kernel, "open('data_f|")).toContain("open('data_folder/");
      expect(await completed(kernel, "!cat data_folder/ta|")).toContain("!cat data_folder/table.csv");
      expect(await completed(kernel, "%ls data_f|")).toContain("%ls data_folder/");
    });

    test(
      "columns of a data frame are completed as attributes and as keys",
      async (kernel) => {
        await run(kernel, 'import pandas\nframe = pandas.DataFrame({"price": [1.5], "prize money": [2]})');
        expect(await completed(kernel, "frame.pri|")).toEqual(["frame.price"]);
        expect(await completed(kernel, "frame['pri|")).toEqual(["frame['price", "frame['prize money"]);
        expect(await completed(kernel, 'frame.loc[:, "prize|')).toEqual(['frame.loc[:, "prize money']);
        expect(await completed(kernel, "frame['price'].medi|")).toEqual(["frame['price'].median"]);
      },
      { packages: ["pandas"] },
    );

    test("a match has a kind and a signature", async (kernel) => {
      await run(kernel, "def order_something(what, amount=1): ...");
      const { matches, details } = await kernel.complete("order_some", 10);
      expect(matches).toEqual(["order_something"]);
      expect(details).toEqual([{ kind: "function", signature: "(what, amount=1)" }]);
    });

    test("nothing to complete gives no matches", async (kernel) => {
      expect(await completed(kernel, "no_such_name_anywhere|")).toEqual([]);
    });

    test("completing runs nothing and counts as no cell", async (kernel) => {
      const define = py`
        class Trap:
            @property
            def bait(self): print("sprung"); return self
        trap = Trap()
      `;
      await run(kernel, define);
      await completed(kernel, "trap.ba|");
      const { executionCount, stdout } = await run(kernel, "1");
      expect({ executionCount, stdout }).toEqual({ executionCount: 2, stdout: "" });
    });

    test("a function is described with its signature and its documentation", async (kernel) => {
      await run(kernel, "def greet(name: str, *, loud=False):\n    'Say hello to somebody.'");
      const text = await described(kernel, "gre|et('x')");
      expect(text).toContain("name: str, *, loud=False");
      expect(text).toContain("Say hello to somebody.");
      expect(await described(kernel, "len|")).toContain("Return the number of items");
      expect(await described(kernel, "import os; os.path.jo|in")).toBe("");
    });

    test("inside of its arguments a function is described", async (kernel) => {
      await run(kernel, "def greet(name: str, *, loud=False):\n    'Say hello to somebody.'");
      for (const code of ["greet(|", "greet('x', |", "'😀'; greet('x',\n  loud=|"]) {
        expect(await described(kernel, code), code).toContain("Say hello to somebody.");
      }
    });

    test("a variable is described with its type", async (kernel) => {
      await run(kernel, "numbers = [1, 2, 3]");
      expect(await described(kernel, "numbers|")).toContain("list");
    });

    test("an unknown name is described by nothing", async (kernel) => {
      expect(await kernel.inspect("no_such_name", 3)).toEqual({});
    });

    test("an object that resists being looked at does no harm", async (kernel) => {
      const define = py`
        class Prickly:
            def __getattr__(self, name): raise RuntimeError(name)
            def __dir__(self): raise RuntimeError("dir")
            def __repr__(self): raise RuntimeError("repr")
        prickly = Prickly()
      `;
      await run(kernel, define);
      await completed(kernel, "prickly.|");
      await described(kernel, "prickly|");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("an object that leaves Python when it is looked at does no harm", async (kernel) => {
      const define = py`
        class Leaving:
            def __getattr__(self, name): raise SystemExit(3)
            def __dir__(self): raise SystemExit(3)
            @property
            def prop(self): raise SystemExit(3)
        leaving = Leaving()
        kept = "kept"
      `;
      await run(kernel, define);
      for (const code of ["leaving.|", "leaving.prop.|", "leaving.missing.|", "leaving|"]) {
        await completed(kernel, code);
        await described(kernel, code);
      }
      expect(await printed(kernel, "print(kept)")).toBe("kept\n");
    });

    test("questions about imports do no harm with a deleted folder, odd search paths and deep names", async (kernel) => {
      await run(kernel, "import os, shutil, sys\nkept = 'kept'\nsys.path.append(5)\nshutil.rmtree(os.getcwd())");
      for (const code of ["import o|", "from o|", `import ${"x.".repeat(500)}|`]) await completed(kernel, code);
      expect(await printed(kernel, "print(kept)")).toBe("kept\n");
    });

    test("code that is no Python does no harm", async (kernel) => {
      for (const code of [
        "((((|",
        "'''|",
        "|",
        "\0|",
        "import |",
        "from os import |",
        "x.|",
        "1.|",
        "%|",
        "!|",
        "?|",
      ]) {
        await completed(kernel, code);
        await described(kernel, code);
      }
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });
  });
}

/** The code with each match put in; `|` marks the cursor. */
async function completed(kernel: Kernel, marked: string): Promise<string[]> {
  const cursor = marked.indexOf("|");
  const code = marked.replace("|", "");
  const { matches, start, end } = await kernel.complete(code, cursor);
  return matches.map((match) => code.slice(0, start) + match + code.slice(end));
}

async function described(kernel: Kernel, marked: string): Promise<string> {
  const bundle = await kernel.inspect(marked.replace("|", ""), marked.indexOf("|"));
  return String(bundle["text/plain"] ?? "");
}
