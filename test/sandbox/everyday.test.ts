import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { libraries, newestPython } from "../environment/pythons.ts";
import { isLong } from "../environment/variants.ts";
import { py } from "../kernel/py.ts";
import { skipReason, World, whyNotTested } from "./world.ts";

/** Cells that need nothing but Python and git, with the last line that they print. */
const plainWork: Readonly<Record<string, readonly [cell: string, says: string]>> = {
  "a pool of forked processes": [
    py`
      import multiprocessing as mp
      def square(number): return number * number
      with mp.get_context("fork").Pool(2) as pool: print(pool.map(square, range(4)))
    `,
    "[0, 1, 4, 9]",
  ],
  "a pool of fresh processes": [
    py`
      import math
      with mp.get_context("spawn").Pool(2) as pool: print(pool.map(math.sqrt, [4, 9]))
    `,
    "[2.0, 3.0]",
  ],
  "queues, a manager and shared memory": [
    py`
      from multiprocessing import shared_memory
      context = mp.get_context("fork")
      queue = context.Queue()
      def put(into): into.put("from the child")
      child = context.Process(target=put, args=(queue,)); child.start(); said = queue.get(); child.join()
      with mp.Manager() as manager: kept = dict(manager.dict(a=1))
      block = shared_memory.SharedMemory(create=True, size=10); block.close(); block.unlink()
      print(said, kept)
    `,
    "from the child {'a': 1}",
  ],
  "commands and their output": [
    "import subprocess\nprint(subprocess.run(['sh', '-c', 'echo $((6*7))'], capture_output=True, text=True).stdout)",
    "42",
  ],
  "a database in the working folder": [
    py`
      import sqlite3
      with sqlite3.connect("work.db") as database:
          database.execute("pragma journal_mode=wal")
          database.execute("create table t (n)"); database.execute("insert into t values (42)")
          print(database.execute("select n from t").fetchone())
    `,
    "(42,)",
  ],
  "files in /tmp and in the folder for temporary files": [
    py`
      import shutil, tempfile
      with open("/tmp/own", "w") as file: file.write("x")
      with tempfile.TemporaryDirectory() as folder: shutil.move("/tmp/own", folder); print("moved")
    `,
    "moved",
  ],
  "a server of its own": [
    py`
      import http.server, threading, urllib.request
      class Quiet(http.server.BaseHTTPRequestHandler):
          def do_GET(self): self.send_response(204); self.end_headers()
          def log_message(self, *details): pass
      server = http.server.HTTPServer(("127.0.0.1", 0), Quiet)
      threading.Thread(target=server.serve_forever, daemon=True).start()
      print(urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/").status)
      server.shutdown(); server.server_close()
    `,
    "204",
  ],
  "a terminal": ["import os, pty\nprint(pty.spawn(['true']))", "0"],
  "git status and a commit": [
    "!git add work.db && git -c user.name=n -c user.email=e commit -qm 'a commit' && git status --short -uno && git log --format=%s",
    "a commit",
  ],
};

const withLibraries: typeof plainWork = {
  pandas: [
    "import pandas\npandas.DataFrame({'a': [20, 22]}).to_csv('a.csv')\nprint(pandas.read_csv('a.csv').a.sum())",
    "42",
  ],
  matplotlib: [
    "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.savefig('plot.png'); plt.close()\nprint(os.path.getsize('plot.png') > 1000)",
    "True",
  ],
  "sklearn with threads of OpenMP": [
    py`
      from sklearn.datasets import make_classification
      from sklearn.ensemble import HistGradientBoostingClassifier
      X, y = make_classification(300)
      print(HistGradientBoostingClassifier(max_iter=5).fit(X, y).score(X, y) > 0.5)
    `,
    "True",
  ],
  "joblib with processes": [
    "from joblib import Parallel, delayed\nprint(Parallel(n_jobs=2)(delayed(abs)(n) for n in (-1, 2)))",
    "[1, 2]",
  ],
  pytest: [
    "open('test_a.py', 'w').write('def test_a(tmp_path): (tmp_path / \"x\").write_text(\"1\")\\n')\n!python -m pytest -q -p no:cacheprovider test_a.py | tail -1 | cut -c1-8",
    "1 passed",
  ],
};

const hasNpm = ["/usr/bin/npm", "/bin/npm"].some(existsSync);

const large = libraries();
const hasLibraries = isLong && "python" in large;
const python = "python" in large && isLong ? large.python : newestPython().path;

for (const engine of ["landlock", "bwrap"] as const) {
  const whyNot = whyNotTested(engine);
  describe.skipIf(whyNot !== null)(`everyday work in ${engine}${skipReason(engine)}`, () => {
    let world: World;
    let runtime: Runtime;
    beforeAll(async () => {
      world = new World(true);
      execFileSync("rm", ["-r", world.path("project/.git")]);
      execFileSync("git", ["init", "-q", world.path("project")]);
      runtime = await open();
    });
    const open = (env = {}): Promise<Runtime> =>
      createRuntime({
        cwd: world.path("project"),
        env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary"), ...env },
        settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: python } },
      });
    afterAll(async () => {
      await runtime?.close();
      world?.remove();
    });

    const done = async ([cell, says]: readonly [string, string]): Promise<void> => {
      const { status, output } = await runtime.session().run(cell, { timeoutMs: 120_000 }).result;
      expect({ status, said: status === "ok" ? output.trim().split("\n").at(-1) : output }).toEqual({
        status: "ok",
        said: says,
      });
    };
    test.each(Object.entries(plainWork))("%s", (_, work) => done(work));
    test.skipIf(!hasNpm)("npm install, with the cache of the sandbox or one in the working folder", async () => {
      for (const name of ["site", "packed"]) mkdirSync(world.path(`project/${name}`));
      writeFileSync(world.path("project/site/package.json"), JSON.stringify({ name: "site", version: "1.0.0" }));
      writeFileSync(world.path("project/packed/package.json"), JSON.stringify({ name: "dep", version: "1.0.0" }));
      execFileSync("tar", ["czf", world.path("project/dep.tgz"), "-C", world.path("project"), "packed"]);
      const install = "!cd site && rm -rf node_modules && npm install --silent ../dep.tgz && ls node_modules";
      await done([install, "dep"]);
      expect(existsSync(world.path("home/.npm"))).toBe(false);
      await using withOwn = await open({ NPM_CONFIG_CACHE: world.path("project/own-cache") });
      const { output } = await withOwn.session().run(install).result;
      expect([output, existsSync(world.path("project/own-cache/_cacache"))]).toEqual(["dep\n", true]);
    });
    test.skipIf(!hasLibraries).each(Object.entries(withLibraries))("%s", (_, work) => done(work));
  });
}
