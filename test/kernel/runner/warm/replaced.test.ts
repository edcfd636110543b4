import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { environment, newestPython, oldestPython } from "../../../environment/pythons.ts";
import { printed, run } from "../../collect.ts";
import { py } from "../../py.ts";
import { plainEnvironment, temporaryFolder } from "../start-runner.ts";
import { preloading, WarmStarter } from "./start-warm.ts";

for (const { path, version } of [newestPython(), oldestPython()]) {
  const venv = temporaryFolder();
  execFileSync(path, ["-m", "venv", "--without-pip", venv]);
  const library = join(venv, "lib", readdirSync(join(venv, "lib"))[0] as string, "site-packages");
  const python = join(venv, "bin/python");
  const starting = (...modules: string[]) => new WarmStarter(python, { preloading: preloading(...modules) });
  /** As pip does: another file, of the same size, with the time that the archive names. */
  const install = (name: string, source: string): void => {
    const file = join(library, `${name}.py`);
    writeFileSync(`${file}.new`, source);
    utimesSync(`${file}.new`, 1e9, 1e9);
    renameSync(`${file}.new`, file);
    rmSync(join(library, "__pycache__"), { recursive: true, force: true });
  };
  afterAll(() => rmSync(venv, { recursive: true, force: true }));

  describe(`on Python ${version}, a session that was forked with modules imported ahead`, () => {
    test("imports the version that was installed since, of the module and of what it imports", async () => {
      install("part", "value = 1");
      install("whole", "import part\nvalue = 1");
      install("other", "import part");
      await using starter = starting("whole", "other");
      await using kernel = await starter.start();
      await using same = await starter.start();
      await using late = await starter.start();
      expect(await printed(late, "import part; print(part.value)")).toBe("1\n");
      install("part", "value = 2");
      expect(await printed(kernel, "import whole; print(whole.part.value, whole.value)")).toBe("2 1\n");
      expect(await printed(kernel, "import other; print(other.part is whole.part)")).toBe("True\n");
      // One that is imported already stays, as ever.
      expect(await printed(late, "import whole; print(whole.part.value, whole.part is part)")).toBe("1 True\n");
      install("whole", "import part\nvalue = 2");
      expect(await printed(same, "import whole; print(whole.part.value, whole.value)")).toBe("2 2\n");
    });

    test("says so where a package with compiled modules has changed, which load only once", async () => {
      const source = execFileSync(path, ["-c", "import _queue; print(_queue.__file__)"], { encoding: "utf8" }).trim();
      mkdirSync(join(library, "fast"), { recursive: true });
      copyFileSync(source, join(library, "fast", source.replace(/.*\//, "")));
      const upgrade = (number: number): void => {
        install("fast_part", `value = ${number}`);
        writeFileSync(join(library, "fast/__init__.py"), `import fast_part\nfrom . import _queue\nvalue = ${number}`);
      };
      upgrade(1);
      await using starter = starting("fast");
      await using unchanged = await starter.start();
      await using kernel = await starter.start();
      await using mocking = await starter.start();
      expect((await run(unchanged, "import fast")).stderr).toBe("");
      expect(await printed(unchanged, "print(fast.value, fast.fast_part.value)")).toBe("1 1\n");
      const fake = "import sys, types; sys.modules['fast_part'] = fake = types.ModuleType('fast_part')\nimport fast";
      expect((await run(mocking, fake)).stderr).toContain(
        "granary: fast was imported ahead (python.preload), and still uses fast_part as installed then.",
      );
      expect(await printed(mocking, "print(sys.modules['fast_part'] is fake)")).toBe("True\n");
      upgrade(22);
      const { stderr, stdout } = await run(kernel, "import fast_part, fast; print(fast.value, fast_part.value)");
      expect(stdout).toBe("1 22\n");
      expect(stderr).toMatch(/^granary: fast was imported ahead .*Start the session again after an installation/);
    });

    test("leaves what a cell has put in place of a dependency", async () => {
      install("bb", "value = 'real'");
      install("aa", "import bb\nvalue = bb.value");
      await using starter = starting("aa");
      await using faking = await starter.start();
      const fake = py`
        import sys, types
        sys.modules["bb"] = fake = types.ModuleType("bb"); fake.value = "fake"
        import aa
        print(aa.value, sys.modules["bb"] is fake)
      `;
      expect(await printed(faking, fake)).toBe("fake True\n");
      await using patching = await starter.start();
      const patch = py`
        import sys, types
        from unittest import mock
        fake = types.ModuleType("bb"); fake.value = "fake"
        with mock.patch.dict(sys.modules, {"bb": fake}):
            import aa
            print(aa.value)
        import aa
        print(aa.value)
      `;
      expect(await printed(patching, patch)).toBe("fake\nreal\n");
      await using late = await starter.start();
      expect(await printed(late, `import bb\n${patch}`)).toBe("fake\nreal\n");
      await using blocking = await starter.start();
      const blocked = await run(blocking, "import sys; sys.modules['bb'] = None\nimport aa");
      expect(blocked.outcome).toBe("error");
      await using shadowing = await starter.start();
      const folder = temporaryFolder();
      writeFileSync(join(folder, "bb.py"), "value = 'mine'");
      const shadow = `import sys; sys.path.insert(0, ${JSON.stringify(folder)})\nimport aa; print(aa.value)`;
      expect(await printed(shadowing, shadow)).toBe("mine\n");
    });

    test("has every module that its imports load by name", async () => {
      // A dataclass looks for its module in `sys.modules` when it is made.
      const make = "def make():\n    @dataclasses.dataclass\n    class Row:\n        x: 'int' = 1\n    return Row().x";
      install("cc", `import dataclasses\n${make}`);
      install("u1", "import importlib; cc = importlib.import_module('cc')");
      install("u2", "from importlib import import_module; cc = import_module('cc')");
      await using starter = starting("u1", "u2");
      await using kernel = await starter.start();
      expect(await printed(kernel, "import sys, u2; print('u1' in sys.modules, u2.cc.make())")).toBe("False 1\n");
    });
  });
}

const withMatplotlib = environment("main");

describe.skipIf("missing" in withMatplotlib)("matplotlib that was imported ahead", () => {
  const python = "python" in withMatplotlib ? withMatplotlib.python : "";
  const ask =
    "import matplotlib as mpl, matplotlib.pyplot as plt; print(plt.rcParams['figure.dpi'], mpl.rcParamsOrig['figure.dpi'], plt.get_backend().lower())";

  test("has the settings of a matplotlibrc that came later, or that a cell chooses", async () => {
    const folder = temporaryFolder();
    await using starter = new WarmStarter(python, { preloading: preloading("matplotlib.pyplot") });
    await using before = await starter.start({ cwd: folder });
    await using chosen = await starter.start({ cwd: folder });
    expect(await printed(before, ask)).toBe("100.0 100.0 agg\n");
    const file = join(folder, "matplotlibrc");
    writeFileSync(file, "figure.dpi: 55\nbackend: svg\n");
    await using after = await starter.start({ cwd: folder });
    expect(await printed(after, ask)).toBe("55.0 55.0 agg\n");
    rmSync(file);
    const other = join(folder, "other");
    writeFileSync(other, "figure.dpi: 66\n");
    const { stdout, stderr } = await run(
      chosen,
      `import os; os.environ["MATPLOTLIBRC"] = ${JSON.stringify(other)}\n${ask}`,
    );
    expect([stdout, stderr]).toEqual(["66.0 66.0 agg\n", ""]);
  });

  test("needs no note for variables that packages set themselves", async () => {
    await using starter = new WarmStarter(python, { preloading: preloading("numpy") });
    await using kernel = await starter.start({ env: { ...plainEnvironment } });
    const asSklearn =
      "import os; os.environ['KMP_INIT_AT_FORK'] = 'FALSE'; os.environ['KMP_DUPLICATE_LIB_OK'] = 'True'\nimport numpy";
    expect((await run(kernel, asSklearn)).stderr).toBe("");
  });
});
