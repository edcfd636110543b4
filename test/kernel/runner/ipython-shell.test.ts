import { rm } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import { newestPython, oldestPython } from "../../environment/pythons.ts";
import { printed, run } from "../collect.ts";
import { py } from "../py.ts";
import { startRunner, temporaryFolder } from "./start-runner.ts";

describe.each([
  ["the oldest Python", oldestPython()],
  ["the newest Python", newestPython()],
])("get_ipython() on %s", (_name, python) => {
  let folder: string;
  let kernel: Kernel;

  beforeEach(async () => {
    folder = temporaryFolder();
    kernel = await startRunner(python.path, { cwd: folder });
  });

  afterEach(async () => {
    await kernel.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("is there in every cell, and loads nothing before it is called", async () => {
    expect(await printed(kernel, "import sys; print([m for m in sys.modules if 'ipython' in m])")).toBe("[]\n");
    expect(await printed(kernel, "print(get_ipython() is get_ipython(), get_ipython().user_ns is globals())")).toBe(
      "True True\n",
    );
  });

  test("is announced to libraries as IPython announces its own, and has what they look for first", async () => {
    const cell = py`
      import builtins
      shell = get_ipython()
      print(builtins.__IPYTHON__, __IPYTHON__, shell.has_trait("kernel"), ValueError in shell.custom_exceptions)
    `;
    expect(await printed(kernel, cell)).toBe("True True True False\n");
  });

  test("runs commands, magics, cells and expressions", async () => {
    const cell = py`
      ip = get_ipython()
      ip.system("echo system")
      print(ip.getoutput("echo lines"), ip.run_line_magic("who_ls", "int"), ip.magic("pwd") is not None)
      ip.run_cell_magic("bash", "", "echo cell")
      ip.push({"pushed": 4})
      ip.ex("executed = pushed + 1")
      print(ip.ev("executed * 2"), ip.execution_count)
      done, failed = ip.run_cell("%who_ls int"), ip.run_cell("1/0")
      print(done.success, done.result, failed.success, type(failed.error_in_exec).__name__)
    `;
    const { stdout, stderr } = await run(kernel, cell);
    expect(stdout).toBe("system\n['lines'] [] True\ncell\n10 1\nTrue ['executed', 'pushed'] False ZeroDivisionError\n");
    expect(stderr).toContain("ZeroDivisionError: division by zero");
  });

  test("calls what is registered for before and after a cell, also after one that fails", async () => {
    await run(
      kernel,
      py`
      def before(info): print("before", info.raw_cell)
      def after(result): print("after", result.result, result.success)
      get_ipython().events.register("pre_run_cell", before)
      get_ipython().events.register("post_run_cell", after)
    `,
    );
    expect(await printed(kernel, "6 * 7")).toBe("before 6 * 7\nafter 42 True\n");
    expect((await run(kernel, "1 / 0")).stdout).toBe("before 1 / 0\nafter None False\n");
    await run(kernel, "get_ipython().events.unregister('post_run_cell', after)");
    expect(await printed(kernel, "0;")).toBe("before 0;\n");
  });

  test("a formatter for numbers changes results that were shown by their repr", async () => {
    expect((await run(kernel, "[1, 2]")).result).toEqual({ "text/plain": "[1, 2]" });
    await run(
      kernel,
      "get_ipython().display_formatter.formatters['text/plain'].for_type(int, lambda n, p, c: p.text(f'<{n}>'))",
    );
    expect((await run(kernel, "[1, 2]")).result).toEqual({ "text/plain": "[<1>, <2>]" });
    expect((await run(kernel, "7")).result).toEqual({ "text/plain": "<7>" });
  });

  test("transformers of sources and of trees are used for later cells", async () => {
    await run(
      kernel,
      py`
      import ast
      ip = get_ipython()
      ip.input_transformers_cleanup.append(lambda lines: [line.replace("TWO", "2") for line in lines])
      class Ten(ast.NodeTransformer):
          def visit_Constant(self, node): return ast.Constant(node.value * 10) if node.value == 2 else node
      ip.ast_transformers.append(Ten())
    `,
    );
    expect((await run(kernel, "TWO + 1")).result).toEqual({ "text/plain": "21" });
  });

  test("In, Out and their short names hold the cells and their results", async () => {
    await run(kernel, "6 * 7");
    await run(kernel, "x = 1");
    expect(await printed(kernel, "print(In[1], Out, _i, _ii, _i1, _ih is In, _oh is Out, len(In))")).toBe(
      "6 * 7 {1: 42} x = 1 6 * 7 6 * 7 True True 4\n",
    );
    expect(await printed(kernel, "%who")).toBe("x\n");
    await run(kernel, "_i = 'mine'");
    expect(await printed(kernel, "print(_i)")).toBe("mine\n");
    expect(await printed(kernel, "%reset in out\nprint(In[1:3], Out, x)")).toBe(
      "Flushing input history (7 entries)\nFlushing output cache (1 entries)\n['', ''] {} 1\n",
    );
  });

  test("a cell with those letters inside of other names gets none of them, and loads nothing for it", async () => {
    const code =
      "self_i = _index = list_i2 = 5; print(sorted({'re', 'enum'} & set(__import__('sys').modules)), '_' + 'i' in globals())";
    expect(await printed(kernel, code)).toBe("[] False\n");
    expect(await printed(kernel, "print(_i1 == _i, 'self_i' in _i, _i2)")).toMatch(/^True True print\(_i1/);
  });

  test("the answer to `obj?` is marked as a page, which a notebook does not keep", async () => {
    const { events } = await run(kernel, "len?");
    expect(events.filter((event) => event.type === "display")).toMatchObject([{ page: true }]);
  });

  test("%history prints cells, with their numbers and results, by range, pattern and count", async () => {
    await run(kernel, "6 * 7");
    await run(kernel, "x = 1\ny = 2");
    await run(kernel, "6 * 7;");
    expect(await printed(kernel, "%history -n -o 1-2")).toBe("   1: 6 * 7\n42\n   2:\nx = 1\ny = 2\n");
    expect(await printed(kernel, "%hist -l 1")).toBe("%hist -l 1\n");
    expect(await printed(kernel, "%history -p 2 3")).toBe(">>> x = 1\n... y = 2\n>>> 6 * 7;\n");
    expect(await printed(kernel, "%history -g 6 ?")).toBe("6 * 7\n6 * 7;\n%history -g 6 ?\n");
    expect((await run(kernel, "%history 2-x")).error?.message).toContain("'2-x' is no range of cells");
  });

  test("%debug looks at the last exception, in the cell's own frames, and asks as input() does", async () => {
    expect((await run(kernel, "%debug")).error?.message).toContain("nothing has been raised so far");
    await run(kernel, "def half(n):\n    return n / 0\nhalf(21)");
    const answers = ["p n * 2", "up", "up", "q"];
    const { stdout, outcome } = await run(kernel, "%debug", { answer: async () => answers.shift() ?? "q" });
    expect(outcome).toBe("ok");
    expect(stdout).toContain("<cell 2>(2)half()");
    expect(stdout).toContain("42\n");
    expect(stdout).toContain("*** Oldest frame");
  });

  test("%debug steps through a statement", async () => {
    await run(kernel, "def f(n):\n    return n + 1");
    const answers = ["step", "step", "p n", "c"];
    const { stdout, outcome } = await run(kernel, "%debug f(20 + 2)", { answer: async () => answers.shift() ?? "c" });
    expect(outcome).toBe("ok");
    expect(stdout).toContain("22\n");
  });

  test("%xmode decides how much of an exception is shown, and %tb shows it again", async () => {
    const failing = "def f(inside):\n    return inside / 0\nf(21)";
    const lines = async () => (await run(kernel, failing)).error?.traceback;
    expect(await lines()).toContain("in f");
    await run(kernel, "%xmode Minimal");
    expect(await lines()).toBe("ZeroDivisionError: division by zero");
    await run(kernel, "%xmode verbose");
    expect(await lines()).toContain("inside = 21");
    await run(kernel, "%xmode Plain");
    expect(await printed(kernel, "%tb")).toContain("return inside / 0");
    expect((await run(kernel, "%xmode loud")).error?.message).toContain("%xmode knows Context");
  });

  test("an editor can ask the kernel for completions from inside of a cell", async () => {
    await run(kernel, "import math");
    expect(await printed(kernel, "print(get_ipython().kernel.do_complete('math.fl', 7)['matches'])")).toContain(
      "floor",
    );
  });
});
