import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { environment, libraries, newestPython, oldestPython } from "../../../environment/pythons.ts";
import { isLong } from "../../../environment/variants.ts";
import { printed, run } from "../../collect.ts";
import { temporaryFolder } from "../start-runner.ts";
import { preloading, WarmStarter } from "./start-warm.ts";

/** Modules that change the process while they are imported; each with a part of the reason, and a cell that would show the change. */
const changes: Record<string, readonly [source: string, why: string, cell: string]> = {
  variables: ["import os; os.environ['X_MODE'] = '1'", "os.environ", "import os; print('X_MODE' in os.environ)"],
  path: ["import sys; sys.path.append('/nowhere')", "`sys`", "import sys; print('/nowhere' in sys.path)"],
  arguments: ["import sys; sys.argv.append('x')", "`sys`", "import sys; print('x' in sys.argv)"],
  finder: [
    "import sys\nclass F:\n  def find_spec(self, *_): pass\nsys.meta_path.append(F())",
    "`sys`",
    "import sys; print('F' in [type(one).__name__ for one in sys.meta_path])",
  ],
  hook: [
    "import sys; sys.excepthook = lambda *_: None",
    "`sys`",
    "import sys; print(sys.excepthook.__name__ == '<lambda>')",
  ],
  stdout: [
    "import io, sys; sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')",
    "`sys`",
    "import sys; print(sys.stdout is not sys.__stdout__)",
  ],
  recursion: [
    "import sys; sys.setrecursionlimit(77777)",
    "limits or hooks of Python",
    "import sys; print(sys.getrecursionlimit() == 77777)",
  ],
  builtins: ["import builtins; builtins.x_mode = 1", "builtins", "print('x_mode' in dir(__builtins__))"],
  main: ["import __main__; __main__.x_mode = 1", "variables of cells", "print('x_mode' in globals())"],
  signals: [
    "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "signal handlers",
    "import signal; print(signal.getsignal(signal.SIGTERM) == signal.SIG_IGN)",
  ],
  mask: [
    "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])",
    "signal handlers",
    "import signal; print(signal.SIGUSR1 in signal.pthread_sigmask(signal.SIG_BLOCK, []))",
  ],
  umask: ["import os; os.umask(0o77)", "umask", "import os; print(os.umask(0o22) == 0o77)"],
  folder: ["import os; os.chdir('/')", "working folder", "import os; print(os.getcwd() == '/')"],
  limits: [
    "import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); resource.setrlimit(resource.RLIMIT_NOFILE, (99, 999))",
    "limits of the process",
    "import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE) == (99, 999))",
  ],
  niceness: ["import os; os.nice(3)", "priority", "import os; print(os.nice(0) == 3)"],
  locale: [
    "import locale; locale.setlocale(locale.LC_ALL, 'C' if locale.setlocale(locale.LC_ALL) != 'C' else 'C.UTF-8')",
    "locale",
    "print(False)",
  ],
  zone: [
    "import os, time; os.environ['TZ'] = 'Asia/Tokyo'; time.tzset(); del os.environ['TZ']",
    "time zone",
    "import time; print(time.timezone == -32400)",
  ],
  decimal: [
    "import decimal; decimal.getcontext().prec = 5",
    "decimal",
    "import decimal; print(decimal.getcontext().prec == 5)",
  ],
  garbage: ["import gc; gc.set_threshold(11)", "garbage collection", "import gc; print(gc.get_threshold()[0] == 11)"],
  logging: [
    "import logging; logging.basicConfig()",
    "`logging`",
    "import logging; print(len(logging.root.handlers) > 0)",
  ],
  warnings: [
    "import warnings; warnings.showwarning = lambda *_: None",
    "how warnings are shown",
    "import warnings; print(warnings.showwarning.__name__ == '<lambda>')",
  ],
  exit: ["import atexit; atexit.register(print, 'bye')", "for the end of Python", "print(False)"],
  patch: ["import json; json.dumps = lambda *_: 'x'", "replaces functions", "import json; print(json.dumps(1) == 'x')"],
  builtin: ["import time; time.time = lambda: 0", "replaces functions", "import time; print(time.time() == 0)"],
  seed: ["import random; random.seed(42)", "random numbers", "print(False)"],
  generator: ["import random; rng = random.Random()", "random numbers", "print(False)"],
  token: ["import uuid; token = uuid.uuid4()", "random numbers", "print(False)"],
  temporary: ["import tempfile; folder = tempfile.mkdtemp()", "random numbers", "print(False)"],
  memory: ["import mmap; shared = mmap.mmap(-1, 4096)", "shares memory", "print(False)"],
  lock: ["import multiprocessing; lock = multiprocessing.Lock()", "random numbers", "print(False)"],
  child: ["import subprocess; process = subprocess.Popen(['sleep', '60'])", "leaves a process", "print(False)"],
  banner: ["print('hello')", "it prints", "print(False)"],
  warning: ["import warnings; warnings.warn('old', DeprecationWarning, 2)", "it prints", "print(False)"],
  methods: [
    "import multiprocessing; multiprocessing.set_start_method('spawn')",
    "processes, sockets or event loops",
    "import multiprocessing; print(multiprocessing.get_start_method(True) == 'spawn')",
  ],
};

for (const { path, version } of [newestPython(), oldestPython()]) {
  const venv = temporaryFolder();
  execFileSync(path, ["-m", "venv", "--without-pip", venv]);
  const library = join(venv, "lib", readdirSync(join(venv, "lib"))[0] as string, "site-packages");
  const python = join(venv, "bin/python");
  afterAll(() => rmSync(venv, { recursive: true, force: true }));

  describe.skipIf(process.platform !== "linux")(
    `on Python ${version}, a module is imported by the cell and not ahead if it changes`,
    () => {
      test.each(Object.entries(changes))("%s", async (name, [source, why, cell]) => {
        writeFileSync(join(library, `x_${name}.py`), source);
        const ahead = preloading(`x_${name}`);
        await using starter = new WarmStarter(python, { preloading: ahead });
        await using kernel = await starter.start();
        expect([...ahead.refusals]).toEqual([[`x_${name}`, expect.stringContaining(why)]]);
        expect(await printed(kernel, cell)).toBe("False\n");
      });
    },
  );

  test(`a module that runs a program while it is imported gets its answer, on Python ${version}`, async () => {
    const source =
      "import subprocess, os\nversion = subprocess.check_output(['echo', '1.2.3'], text=True).strip()\nos.system('true')";
    writeFileSync(join(library, "asks_a_program.py"), source);
    const ahead = preloading("asks_a_program");
    await using starter = new WarmStarter(python, { preloading: ahead });
    await using kernel = await starter.start();
    expect([...ahead.refusals]).toEqual([]);
    expect(await printed(kernel, "import asks_a_program; print(asks_a_program.version)")).toBe("1.2.3\n");
    expect(await printed(kernel, "import subprocess; print(1); subprocess.run(['echo', '2']); print(3)")).toBe(
      "1\n2\n3\n",
    );
  });
}

const withLibraries = [environment("main"), libraries(), ...(isLong ? [environment("oldest")] : [])];
const harmless = [
  "numpy",
  "pandas",
  "matplotlib.pyplot",
  "scipy.stats",
  "sklearn.ensemble",
  "sklearn.cluster",
  "pyarrow.parquet",
];
const more = ["PIL.Image", "joblib", "dateutil.parser", "pytz"];

describe.each(withLibraries.flatMap((one) => ("python" in one ? [one.python] : [])))("with %s", (python) => {
  const limits = { seconds: 60, megabytes: 2000, atMostSeconds: 120 };

  test("the packages of `auto` change nothing, and scikit-learn's own variables come with it", async () => {
    const ahead = preloading(...harmless, ...more);
    await using starter = new WarmStarter(python, { preloading: ahead, limits });
    await using kernel = await starter.start();
    const notInstalled = [...ahead.refusals.values()].filter((why) => !why.includes("not installed"));
    expect(notInstalled).toEqual([]);
    const seen =
      "import os, sys; print([n for n in os.environ if 'KMP' in n], [f for f in sys.meta_path if 'Six' in type(f).__name__], 'ssl' in sys.modules)";
    expect(await printed(kernel, seen)).toBe("[] [] False\n");
    if (ahead.refusals.has("sklearn.cluster")) return;
    const { stderr } = await run(kernel, "import sklearn.cluster, six.moves");
    expect(stderr).toBe("");
    expect(await printed(kernel, "print(os.environ['KMP_INIT_AT_FORK'], os.environ['KMP_DUPLICATE_LIB_OK'])")).toBe(
      "FALSE True\n",
    );
  });
});
