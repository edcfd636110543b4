import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { environment, newestPython } from "../../../environment/pythons.ts";
import { printed, run } from "../../collect.ts";
import { py } from "../../py.ts";
import { plainEnvironment, temporaryFolder } from "../start-runner.ts";
import { preloading, WarmStarter } from "./start-warm.ts";

const venv = temporaryFolder();
execFileSync(newestPython().path, ["-m", "venv", "--without-pip", venv]);
const python = join(venv, "bin/python");
const library = join(venv, "lib", readdirSync(join(venv, "lib"))[0] as string, "site-packages");
const install = (name: string, source: string): void => writeFileSync(join(library, `${name}.py`), source);
afterAll(() => rmSync(venv, { recursive: true, force: true }));

install("calm", "import calm_friend\nvalue = 1");
install("calm_friend", "import json");
install(
  "starts_a_thread",
  "import threading, time\nthreading.Thread(target=time.sleep, args=(600,), daemon=True).start()",
);
install("asks_the_network", "import socket\ntry: socket.create_connection(('127.0.0.1', 9), 1)\nexcept OSError: pass");
install("leaves_a_file_open", "file = open('/dev/null')");
install("raises", "raise RuntimeError('no')");
install("leaves", "import os\nos._exit(3)");
install("crashes", "import os\nos.abort()");
install("hangs", "import time\ntime.sleep(600)");
install("is_slow", "import time\ntime.sleep(1.2)");
install("is_large", "data = bytearray(200_000_000)");
install("reads_a_variable", "import os\nvalue = os.environ.get('CHOICE')");

const limits = { seconds: 1, megabytes: 150, atMostSeconds: 4 };
const visible = "import sys; print([name for name in ('calm', 'calm_friend') if name in sys.modules])";

describe("a module that is imported ahead", () => {
  test("is there for a kernel that imports it, and out of sight until then", async () => {
    await using starter = new WarmStarter(python, { preloading: preloading("calm") });
    await using kernel = await starter.start();
    expect(await printed(kernel, visible)).toBe("[]\n");
    const ask = "import calm; print(calm.value, calm.__spec__.loader.__class__.__name__, calm.__spec__.name)";
    expect(await printed(kernel, ask)).toBe("1 SourceFileLoader calm\n");
    expect(await printed(kernel, visible)).toBe("['calm', 'calm_friend']\n");
    expect(await printed(kernel, "import importlib; print(importlib.reload(calm) is calm)")).toBe("True\n");
  });

  test("can be found without being imported, as ever", async () => {
    mkdirSync(join(library, "kit"), { recursive: true });
    writeFileSync(join(library, "kit/__init__.py"), "");
    writeFileSync(join(library, "kit/part.py"), "value = 2");
    await using starter = new WarmStarter(python, { preloading: preloading("kit.part") });
    await using kernel = await starter.start();
    const find = py`
      import importlib.util, sys
      spec = importlib.util.find_spec("kit")
      print(spec.origin == spec.loader.get_filename() , [one.endswith("/kit") for one in spec.submodule_search_locations], "kit" in sys.modules)
      import kit
      print(kit.__path__ == list(spec.submodule_search_locations), kit.part.value, sys.modules["kit.part"] is kit.part, kit.__spec__.loader is kit.__loader__)
      import importlib.resources, pkgutil
      print([one.name for one in pkgutil.iter_modules(kit.__path__)], pkgutil.get_data("kit", "part.py"))
    `;
    expect(await printed(kernel, find)).toBe("True [True] False\nTrue 2 True True\n['part'] b'value = 2'\n");
  });

  test("runs its code once, before there is a kernel", async () => {
    const log = join(venv, "log");
    install("writes", `with open(${JSON.stringify(log)}, 'a') as file: file.write('x')`);
    await using starter = new WarmStarter(python, { preloading: preloading("writes") });
    for (let round = 0; round < 3; round++) {
      await using kernel = await starter.start();
      expect((await run(kernel, "import writes")).outcome).toBe("ok");
    }
    await using kernel = await starter.start();
    expect(await printed(kernel, `print(open(${JSON.stringify(log)}).read())`)).toBe("x\n");
  });

  test("gives way to one of the same name that comes first on sys.path", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "calm.py"), "value = 'mine'");
    await using starter = new WarmStarter(python, { preloading: preloading("calm") });
    await using kernel = await starter.start();
    expect(await printed(kernel, `sys = __import__('sys'); sys.path.insert(0, ${JSON.stringify(folder)})`)).toBe("");
    expect(await printed(kernel, "import calm; print(calm.value)")).toBe("mine\n");
  });

  test("gives way to a module of the project, also to one that comes later", async () => {
    const folder = temporaryFolder();
    await using starter = new WarmStarter(python, { preloading: preloading("calm", "decimal") });
    await using first = await starter.start({ cwd: folder });
    expect(await printed(first, "import calm; print(calm.value)")).toBe("1\n");
    writeFileSync(join(folder, "calm_friend.py"), "mine = True");
    writeFileSync(join(folder, "decimal.py"), "mine = True");
    const { kernel, isForked } = await starter.try({ cwd: folder });
    expect(isForked).toBe(false);
    expect(await printed(kernel, "import calm_friend, decimal; print(calm_friend.mine, decimal.mine)")).toBe(
      "True True\n",
    );
    await kernel.close();
  });

  test("is imported again for an import hook of the cell's", async () => {
    await using starter = new WarmStarter(python, { preloading: preloading("calm") });
    await using kernel = await starter.start();
    const hook = py`
      import sys, importlib.machinery as machinery
      class Loader(machinery.SourceFileLoader):
          def exec_module(self, module):
              super().exec_module(module)
              module.value = "hooked"
      class Finder(machinery.PathFinder):
          @classmethod
          def find_spec(cls, name, path=None, target=None):
              spec = super().find_spec(name, path, target)
              if name == "calm": spec.loader = Loader(name, spec.origin)
              return spec if name == "calm" else None
      sys.meta_path.insert(0, Finder)
      import calm
      print(calm.value)
    `;
    expect(await printed(kernel, hook)).toBe("hooked\n");
  });

  test("says so where a cell sets variables before it imports it", async () => {
    await using starter = new WarmStarter(python, { preloading: preloading("reads_a_variable") });
    await using kernel = await starter.start();
    const cell = "import os; os.environ['CHOICE'] = '1'\nimport reads_a_variable";
    const { stderr } = await run(kernel, cell);
    expect(stderr).toContain("reads_a_variable was imported ahead (python.preload), before CHOICE changed.");
    await using quiet = await starter.start({ env: { ...plainEnvironment } });
    const another = "import os; os.environ['ANOTHER'] = '1'; del os.environ['HOME']\nimport reads_a_variable";
    expect((await run(quiet, another)).stderr).toBe("");
    await using threads = await starter.start({ env: { ...plainEnvironment } });
    const forC = "import os; os.environ['OMP_NUM_THREADS'] = '1'\nimport reads_a_variable";
    expect((await run(threads, forC)).stderr).toContain("before OMP_NUM_THREADS changed");
  });
});

describe("a module is not imported ahead, and kernels start all the same, if it", () => {
  test.each([
    ["starts_a_thread", "it starts threads while it is imported"],
    ["asks_the_network", "it uses the network while it is imported"],
    ["leaves_a_file_open", "it opens files while it is imported, and leaves them open"],
    ["raises", "importing it raised RuntimeError"],
    ["leaves", "it ended Python, or took too long"],
    ["crashes", "it ended Python, or took too long"],
    ["hangs", "it ended Python, or took too long"],
    ["nowhere", "it is not installed, or a module of the project"],
  ])("%s", async (module, why) => {
    const ahead = preloading("calm", module);
    await using starter = new WarmStarter(python, { preloading: ahead, limits });
    await using kernel = await starter.start();
    expect([...ahead.refusals]).toEqual([[module, why]]);
    expect(await printed(kernel, `import sys; print(${JSON.stringify(module)} in sys.modules)`)).toBe("False\n");
    expect(await printed(kernel, "import calm; print(calm.value)")).toBe("1\n");
  });

  test.each([
    ["is_slow", "the modules before it took 1 s", limits],
    ["is_large", "the modules before it took 150 MB", { ...limits, seconds: 60, atMostSeconds: 60 }],
  ])("comes after one that %s", async (module, why, limits) => {
    const ahead = preloading(module, "calm");
    await using starter = new WarmStarter(python, { preloading: ahead, limits });
    await using kernel = await starter.start();
    expect([...ahead.refusals]).toEqual([["calm", why]]);
    expect(await printed(kernel, "import calm; print(calm.value)")).toBe("1\n");
  });

  test("is in the working folder, or on PYTHONPATH, or imports such a module", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "ours.py"), "");
    install("imports_ours", "import ours");
    const ahead = preloading("ours", "imports_ours");
    await using starter = new WarmStarter(python, { preloading: ahead });
    await using kernel = await starter.start({ cwd: folder, env: { ...plainEnvironment, PYTHONPATH: folder } });
    expect([...ahead.refusals]).toEqual([
      ["ours", "it is not installed, or a module of the project"],
      ["imports_ours", "it imports ours, which is not installed"],
    ]);
    expect((await run(kernel, "import ours")).outcome).toBe("ok");
  });
});

describe("a warm interpreter is replaced when", () => {
  const changes: Record<string, () => void> = {
    "a package is installed": () => mkdirSync(join(library, `new-${Date.now()}.dist-info`)),
    "a .pth file changes": () => {
      writeFileSync(join(library, "paths.pth"), "/nowhere\n");
      utimesSync(join(library, "paths.pth"), 1, 1);
    },
    "the environment is made anew": () => utimesSync(join(venv, "pyvenv.cfg"), 1, 1),
  };
  test.each(Object.keys(changes))("%s", async (what) => {
    if (what.startsWith("a .pth")) writeFileSync(join(library, "paths.pth"), "");
    await using starter = new WarmStarter(python, { preloading: preloading("calm") });
    await using before = await starter.start();
    changes[what]?.();
    const { kernel, isForked } = await starter.try();
    expect(isForked).toBe(false);
    await kernel.close();
    await using after = await starter.start();
    const parent = "import os; print(os.getppid())";
    expect(await printed(after, parent)).not.toBe(await printed(before, parent));
  });
});

const main = environment("main");

test.skipIf("missing" in main)(
  "packages that import each other work when one of them is imported, and bring the others along",
  async () => {
    const modules = ["numpy", "pandas", "matplotlib.pyplot"];
    await using starter = new WarmStarter("python" in main ? main.python : "", { preloading: preloading(...modules) });
    await using kernel = await starter.start();
    const seen = py`
    import sys
    tops = {name.partition(".")[0] for name in sys.modules}
    print([name for name in ("dateutil", "matplotlib", "numpy", "pandas") if name in tops])
  `;
    expect(await printed(kernel, seen)).toBe("[]\n");
    expect(
      (await run(kernel, "from pandas import DataFrame\nDataFrame({'a': [1, 2]}).describe()")).result,
    ).toHaveProperty(["text/html"]);
    expect(await printed(kernel, seen)).toBe("['dateutil', 'numpy', 'pandas']\n");
    const plot = await run(kernel, "import matplotlib.pyplot as plt\nplt.plot([1, 2]);");
    expect(plot.displays.flatMap(({ data }) => Object.keys(data))).toContain("image/png");
    expect(await printed(kernel, "import pickle; print(pickle.loads(pickle.dumps(DataFrame({'a': [1]}))).a[0])")).toBe(
      "1\n",
    );
  },
);
