import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import { type BootstrapOptions, bootstrapKernel } from "../../../src/session/bootstrap/bootstrap.ts";
import type { ModuleFile } from "../../../src/session/bootstrap/extension-modules.ts";
import { newestPython, oldestPython } from "../../environment/pythons.ts";
import { testedPythons } from "../../environment/variants.ts";
import { background, printed, run } from "../../kernel/collect.ts";
import { isRunning } from "../../kernel/processes.ts";
import { py } from "../../kernel/py.ts";
import { plainEnvironment, startRunner } from "../../kernel/runner/start-runner.ts";
import { warmStarter } from "../../kernel/runner/warm/start-warm.ts";
import { until } from "../../kernel/until.ts";

const helpers = ["ToolError", "bash", "find_files", "progress", "read_file", "search_files", "tool", "write_file"];
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "granary-bootstrap-")));
  for (const name of ["one", "two"]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, `only_in_${name}.py`), `where = ${JSON.stringify(name)}\n`);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ready(
  story: (kernel: Kernel) => Promise<unknown>,
  options: Partial<BootstrapOptions> = {},
  start: { readonly python?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const { python = newestPython().path, env = {} } = start;
  // HOME without a login profile, independent of the machine.
  await using kernel = await startRunner(python, { cwd: folder, env: { ...plainEnvironment, HOME: folder, ...env } });
  await bootstrapKernel(kernel, {
    cwd: join(folder, "one"),
    modules: [],
    signal: AbortSignal.timeout(60_000),
    ...options,
  });
  await story(kernel);
}

function module(source: string, name = "extension.py", from: ModuleFile["from"] = "user"): ModuleFile {
  return { name, path: `/somewhere/else/${name}`, source, from };
}

for (const python of testedPythons()) {
  describe(`a kernel on Python ${python.version} that was made ready`, () => {
    const here = { python: python.path };

    test("works in its folder, with the changes to its environment", async () => {
      const env = { ADDED: "ü\n", LANG: null };
      await ready(
        async (kernel) => {
          const cell = "import os; print([os.getcwd(), os.environ['ADDED'], 'LANG' in os.environ])";
          expect(await printed(kernel, cell)).toBe(`['${folder}/one', 'ü\\n', False]\n`);
        },
        { env },
        { ...here, env: { LANG: "C.UTF-8" } },
      );
    });

    test("has nothing of ours in its globals, its count, its output, its results", async () => {
      await ready(
        async (kernel) => {
          const behind = background(kernel);
          const globals = await run(kernel, "sorted(globals())");
          const plain = [
            "__annotations__",
            "__builtins__",
            "__doc__",
            "__loader__",
            "__name__",
            "__package__",
            "__spec__",
          ];
          const names = JSON.parse(String(globals.result?.["text/plain"]).replaceAll("'", '"')) as string[];
          expect(names.filter((name) => !plain.includes(name))).toEqual([]);
          expect(globals.executionCount).toBe(1);
          expect(globals.text + behind.text).toBe("");
        },
        { modules: [module("print('not shown'); 42")] },
        here,
      );
    });

    test("has the helpers without importing them, with signature and documentation, and %reset leaves them", async () => {
      await ready(
        async (kernel) => {
          await run(kernel, "bash = 'my own'\n%reset");
          const cell = py`
            import builtins, inspect
            for name in ${JSON.stringify(helpers)}:
                helper = getattr(builtins, name)
                print(eval(name) is helper, bool(inspect.getdoc(helper)), name + str(inspect.signature(helper)))
          `;
          const lines = (await printed(kernel, cell)).trimEnd().split("\n");
          expect(lines.map((line) => line.replace(/\(.*/, ""))).toEqual(helpers.map((name) => `True True ${name}`));
          expect(await printed(kernel, "help(bash)")).toContain("bash(command, *, check=False, timeout=None,");
          expect((await run(kernel, "bash('echo $((6*7))')")).result).toEqual({ "text/plain": "42" });
        },
        {},
        here,
      );
    });
  });
}

describe("the first folder of sys.path", () => {
  /** The entries of sys.path below the folder of these tests. */
  const entries = "import os, sys; print([one for one in sys.path if one.startswith(os.environ['HOME'])])";

  test("is the kernel's folder, once, also when the environment names it too", async () => {
    const env = { PYTHONPATH: `${folder}/two:${folder}/one` };
    await ready(
      async (kernel) => {
        expect(await printed(kernel, entries)).toBe(`['${folder}/one', '${folder}/two']\n`);
        expect(await printed(kernel, "print(sys.path[0])")).toBe(`${folder}/one\n`);
      },
      {},
      { env },
    );
  });

  test("stays wherever os.chdir goes", async () => {
    await ready(async (kernel) => {
      await run(kernel, "import os; os.chdir('/')");
      expect(await printed(kernel, "import only_in_one; print(only_in_one.where)")).toBe("one\n");
    });
  });

  test("moves with the folder of a single cell, and the one before leaves", async () => {
    await ready(async (kernel) => {
      const moved = await printed(kernel, `${entries}\nimport only_in_two`, { cwd: "../two" });
      expect(moved).toBe(`['${folder}/two']\n`);
      expect((await run(kernel, "import only_in_one")).error?.name).toBe("ModuleNotFoundError");
      expect(await printed(kernel, entries, { cwd: `${folder}/one` })).toBe(`['${folder}/one']\n`);
    });
  });

  test("a folder that the environment names stays on sys.path when the kernel leaves it", async () => {
    const env = { PYTHONPATH: `${folder}/one` };
    await ready(
      async (kernel) => {
        expect(await printed(kernel, entries, { cwd: `${folder}/two` })).toBe(`['${folder}/two', '${folder}/one']\n`);
      },
      {},
      { env },
    );
  });

  test("is not ours to choose under PYTHONSAFEPATH", async () => {
    const env = { PYTHONSAFEPATH: "1" };
    await ready(async (kernel) => expect(await printed(kernel, entries, { cwd: folder })).toBe("[]\n"), {}, { env });
  });
});

describe("the prelude", () => {
  test("can be left out", async () => {
    await ready(async (kernel) => expect((await run(kernel, "bash('ls')")).error?.name).toBe("NameError"), {
      prelude: false,
    });
  });

  test("is not taken from a folder of that name in the project", async () => {
    const hostile = join(folder, "hostile");
    mkdirSync(join(hostile, "granary_prelude"), { recursive: true });
    writeFileSync(join(hostile, "granary_prelude/__init__.py"), "raise SystemExit('hostile')");
    writeFileSync(join(hostile, "granary_prelude/shell.py"), "raise SystemExit('hostile')");
    await ready(async (kernel) => expect(await printed(kernel, "print(bash('echo ours'))")).toBe("ours\n"), {
      cwd: hostile,
    });
  });

  test("shows its lines in tracebacks and to inspect", async () => {
    await ready(async (kernel) => {
      expect(await printed(kernel, "import inspect; print(inspect.getsource(bash))")).toContain("def bash(command, *,");
    });
  });

  test("compiles no more than the names of its helpers before one is used", async () => {
    await ready(async (kernel) => {
      const list = "import sys; print([name for name in sys.modules if name.startswith('granary_prelude')])";
      expect(await printed(kernel, list)).toBe("['granary_prelude']\n");
    });
  });

  test("has the modules that it takes from the runner, as in kernels that get their texts", async () => {
    await ready(async (kernel) => {
      const names = "['granary_prelude.process_tree', 'granary_prelude.terminal', 'granary_prelude.working_folder']";
      const cell = `import importlib; print([bool(importlib.import_module(name).__doc__) for name in ${names}])`;
      expect(await printed(kernel, cell)).toBe("[True, True, True]\n");
    });
  });

  test("is installed once, however often a kernel is made ready", async () => {
    await ready(async (kernel) => {
      await bootstrapKernel(kernel, { cwd: folder, modules: [], signal: AbortSignal.timeout(60_000) });
      const count = "import sys; print(sum(type(one).__name__ == 'Files' for one in sys.meta_path), sys.path[0])";
      expect(await printed(kernel, count)).toBe(`1 ${folder}\n`);
    });
  });
});

describe.skipIf(process.platform !== "linux")("a forked kernel, whose prelude was loaded ahead", () => {
  const starter = warmStarter(newestPython().path, { prelude: true });
  const cell = py`
    import builtins, os, sys
    print([name for name in ${JSON.stringify(helpers)} if hasattr(builtins, name)], os.environ.get("PYTHONUNBUFFERED"), sys.path[:2])
  `;

  test.each([
    { what: "everything", options: {}, names: helpers, unbuffered: "1" },
    { what: "no helpers", options: { prelude: false }, names: [], unbuffered: "1" },
    { what: "a variable of its own", options: { env: { PYTHONUNBUFFERED: "" } }, names: helpers, unbuffered: "" },
    { what: "one variable less", options: { env: { PYTHONUNBUFFERED: null } }, names: helpers, unbuffered: "None" },
  ])("has $what, as a spawned one does", async ({ options, names, unbuffered }) => {
    const own = { cwd: join(folder, "one"), modules: [], signal: AbortSignal.timeout(60_000), ...options };
    const list = `[${names.map((name) => `'${name}'`).join(", ")}]`;
    const start = { cwd: folder, env: { ...plainEnvironment, HOME: folder } };
    for (const kernel of [await starter.start(start), await startRunner(newestPython().path, start)]) {
      await using ready = kernel;
      await bootstrapKernel(ready, own);
      expect(await printed(ready, cell)).toBe(`${list} ${unbuffered} ['${folder}/one', '']\n`);
      await bootstrapKernel(ready, { ...own, prelude: true });
      expect(await printed(ready, cell)).toContain("bash");
    }
  });
});

/** Jupyter's kernels have nothing of ours: everything must be in the text of the cells. */
describe("a Python without the runner", () => {
  test("is made ready by the same cells", async () => {
    const cells: string[] = [];
    const recorder = {
      execute(code: string) {
        cells.push(code);
        return (async function* () {})();
      },
    } as unknown as Kernel;
    const modules = [module("def twice(x):\n    return 2 * x  # doubled\n")];
    await bootstrapKernel(recorder, { cwd: join(folder, "one"), modules, signal: AbortSignal.timeout(60_000) });
    const program = py`
      import json, sys
      for cell in json.load(sys.stdin):
          exec(compile(cell, "<cell>", "exec", 0, True))
      import inspect, only_in_one, os
      print(bash("echo hi").stdout.strip(), twice(21), os.getcwd() == sys.path[0], only_in_one.where)
      print(inspect.getsource(twice).count("# doubled"), [name for name in sys.modules if "granary_runner" in name])
      try:
          bash("sleep 1000", timeout=0.1)
      except Exception as problem:
          print(type(problem).__name__, problem.result.exit_code)
    `;
    const env = { ...plainEnvironment, HOME: folder };
    const input = JSON.stringify(cells);
    const output = execFileSync(oldestPython().path, ["-c", program], { cwd: "/", env, input, encoding: "utf8" });
    expect(output.trimEnd().split("\n")).toEqual(["hi 42 True one", "1 []", "CommandTimedOut 143"]);
  });
});

describe("the bridge", () => {
  const bridge = { url: "http://127.0.0.1:1/", token: "very-secret-token", session: "s-1" };

  test("puts address and session into the environment, and the token nowhere but into the prelude", async () => {
    await ready(
      async (kernel) => {
        const cell = py`
          import os, sys, linecache
          from granary_runner.cells import main_module
          import granary_prelude.bridge
          print({name: value for name, value in os.environ.items() if name.startswith("PI_TOOL_BRIDGE_")})
          print("very-" + "secret" in str(main_module.sources) + str(linecache.cache), granary_prelude.bridge.token())
        `;
        const variables = "{'PI_TOOL_BRIDGE_URL': 'http://127.0.0.1:1/', 'PI_TOOL_BRIDGE_SESSION': 's-1'}";
        expect(await printed(kernel, cell)).toBe(`${variables}\nFalse very-secret-token\n`);
      },
      { bridge },
      { env: { PI_TOOL_BRIDGE_TOKEN: "inherited" } },
    );
  });
});

describe("extension modules", () => {
  test("run in the order given, in the user's namespace, with their own file name", async () => {
    const modules = [
      module("import math\nfirst = [__name__]", "a.py"),
      module("first.append('b')\ndef fail():\n    raise ValueError(first)  # the reason\n", "b.py"),
    ];
    await ready(
      async (kernel) => {
        expect(await printed(kernel, "print(first, math.pi > 3)")).toBe("['__main__', 'b'] True\n");
        const { error } = await run(kernel, "fail()");
        expect(error?.traceback).toContain('File "/somewhere/else/b.py", line 3, in fail');
        expect(error?.traceback).toContain("# the reason");
        expect(await printed(kernel, "import inspect; print(inspect.getsource(fail))")).toContain("# the reason");
      },
      { modules },
    );
  });

  test("may use the helpers, and end themselves early", async () => {
    const source = "import sys\nout = bash('echo hi').stdout\nsys.exit()\nout = 'not reached'";
    await ready(async (kernel) => expect(await printed(kernel, "print(out)")).toBe("hi\n\n"), {
      modules: [module(source)],
    });
  });

  test.each<[what: string, source: string, line: number | null, exception: string]>([
    ["raises", "x = 1\n\nraise ValueError('two\\nlines')", 3, "ValueError: two\nlines"],
    [
      "raises in Python's own code",
      "import json\njson.loads('[')\n",
      2,
      "json.decoder.JSONDecodeError: Expecting value",
    ],
    ["is no Python", "x = 1\ny = = 2\n", 2, "SyntaxError: invalid syntax"],
    ["holds a zero byte", "x = '\0'", null, "source code"],
    ["asks to end Python", "import sys\nsys.exit('no licence')", 2, "SystemExit: no licence"],
    [
      "imports what is not there",
      "import missing_module_x",
      1,
      "ModuleNotFoundError: No module named 'missing_module_x'",
    ],
  ])("one that %s is an error that names file, line and exception", async (_what, source, line, exception) => {
    const failing = ready(async () => undefined, { modules: [module(source)] });
    const error = await failing.then(
      () => undefined,
      (problem: unknown) => problem,
    );
    expect(error).toMatchObject({ code: "start-failed", details: { file: "/somewhere/else/extension.py" } });
    const { message } = error as Error;
    expect(message).toContain(exception);
    expect(message).toContain("/somewhere/else/extension.py");
    // Python versions differ in whether a zero byte has a line.
    if (line !== null) expect(message).toContain(`/somewhere/else/extension.py, line ${line}: `);
    expect(message).toContain("Correct it, or move it out of that folder.");
  });

  test("of a project's the error says how to turn them off", async () => {
    const failing = ready(async () => undefined, { modules: [module("1/0", "m.py", "project")] });
    await expect(failing).rejects.toThrow(
      "A module that runs when Python starts has failed: /somewhere/else/m.py, line 1: ZeroDivisionError: division by zero\n" +
        "Correct it, or turn modules of projects off with python.projectModules: false.",
    );
  });

  test("one that crashes Python is an error that names it", async () => {
    const failing = ready(async () => undefined, { modules: [module("import os\nos._exit(7)")] });
    await expect(failing).rejects.toMatchObject({
      code: "start-failed",
      message: expect.stringContaining("Python ended while it was running /somewhere/else/extension.py."),
    });
  });

  test("one that takes longer than the start may is interrupted, with what it has started", async () => {
    const file = join(folder, "pid");
    const source = `bash("echo $$ > ${file}; sleep 1000")\n`;
    const deadline = new AbortController();
    const failing = ready(async () => undefined, { modules: [module(source)], signal: deadline.signal });
    failing.catch(() => undefined);
    const pid = (): number => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
    await until("the module runs", () => pid() > 0);
    deadline.abort();
    await expect(failing).rejects.toMatchObject({
      code: "start-timeout",
      message: expect.stringContaining("it was still running /somewhere/else/extension.py"),
    });
    expect(isRunning(pid())).toBe(false);
  });
});

describe("a start that fails", () => {
  test("because there is no such folder where Python runs, says so", async () => {
    await expect(ready(async () => undefined, { cwd: "/no/such/folder" })).rejects.toMatchObject({
      code: "start-failed",
      message: expect.stringMatching(/^Python could not be made ready in \/no\/such\/folder: FileNotFoundError: /),
    });
  });

  test("because it was cancelled before, runs nothing", async () => {
    const signal = AbortSignal.abort();
    await expect(ready(async () => undefined, { signal })).rejects.toMatchObject({ code: "start-timeout" });
  });
});
