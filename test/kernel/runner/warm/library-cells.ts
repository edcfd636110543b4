import { py } from "../../py.ts";

/** Cells that use a library as people do, each ending with True on stdout; with the modules that are imported ahead for them. */
export interface LibraryCell {
  readonly modules: readonly string[];
  readonly code: string;
}

/** Needs nothing but Python. */
export const standardCells: Record<string, LibraryCell> = {
  asyncio: {
    modules: ["asyncio"],
    code: py`
      import asyncio
      async def work(): await asyncio.sleep(0.01); return await asyncio.to_thread(lambda: 1)
      first = await work()
      print(first + (await asyncio.gather(work(), work()))[0] == 2)
    `,
  },
  "asyncio in programs": {
    modules: ["asyncio"],
    code: py`
      import asyncio, threading
      answer = []
      async def work():
          process = await asyncio.create_subprocess_exec("echo", "hi", stdout=asyncio.subprocess.PIPE)
          answer.append((await process.communicate())[0])
      thread = threading.Thread(target=lambda: asyncio.run(work())); thread.start(); thread.join()
      print(answer == [b"hi\n"])
    `,
  },
  sqlite3: {
    modules: ["sqlite3"],
    code: py`
      import sqlite3
      with sqlite3.connect("file.db") as connection:
          connection.execute("create table t(a)"); connection.execute("insert into t values (1)")
      print(sqlite3.connect("file.db").execute("pragma integrity_check").fetchone()[0] == "ok")
    `,
  },
  subprocess: {
    modules: ["subprocess"],
    code: py`
      import subprocess, os
      print(subprocess.run(["sh", "-c", "echo $PPID"], capture_output=True, text=True).stdout.strip() == str(os.getpid()))
    `,
  },
  "multiprocessing, fork": {
    modules: ["multiprocessing.pool"],
    code: py`
      import multiprocessing
      def square(x): return x * x
      with multiprocessing.get_context("fork").Pool(2) as pool: print(pool.map(square, [1, 2, 3]) == [1, 4, 9])
    `,
  },
  "multiprocessing, spawn": {
    modules: ["multiprocessing.pool"],
    code: py`
      import multiprocessing
      def square(x): return x * x
      with multiprocessing.get_context("spawn").Pool(2) as pool: print(pool.map(square, [1, 2, 3]) == [1, 4, 9])
    `,
  },
  "concurrent.futures": {
    modules: ["concurrent.futures"],
    code: py`
      from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
      import multiprocessing
      def square(x): return x * x
      with ThreadPoolExecutor(2) as threads: first = list(threads.map(square, [2]))
      with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as processes: second = list(processes.map(square, [3]))
      print(first + second == [4, 9])
    `,
  },
  threading: {
    modules: ["threading"],
    code: py`
      import os, threading
      done = []
      thread = threading.Thread(target=lambda: done.append(threading.get_ident())); thread.start(); thread.join()
      is_main = threading.current_thread() is threading.main_thread()
      print(is_main and len(done) == 1 and threading.main_thread().native_id == os.getpid())
    `,
  },
  signals: {
    modules: ["signal"],
    code: py`
      import os, signal, time
      got = []
      signal.signal(signal.SIGUSR1, lambda *_: got.append(1)); os.kill(os.getpid(), signal.SIGUSR1)
      signal.signal(signal.SIGALRM, lambda *_: got.append(2)); signal.setitimer(signal.ITIMER_REAL, 0.01); time.sleep(0.1)
      child = os.fork()
      if child == 0: os._exit(7)
      is_ours = signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL and os.WEXITSTATUS(os.waitpid(child, 0)[1]) == 7
      print(got == [1, 2] and is_ours)
    `,
  },
  faulthandler: {
    modules: ["faulthandler"],
    code: py`
      import faulthandler, tempfile
      with tempfile.TemporaryFile() as file:
          faulthandler.dump_traceback(file); file.seek(0)
          print(faulthandler.is_enabled() and b"most recent call first" in file.read())
    `,
  },
  tracemalloc: {
    modules: ["tracemalloc"],
    code: py`
      import tracemalloc
      tracemalloc.start(); kept = bytearray(1_000_000); size = tracemalloc.get_traced_memory()[0]; tracemalloc.stop()
      print(size > 1_000_000)
    `,
  },
  logging: {
    modules: ["logging"],
    code: py`
      import io, logging
      text = io.StringIO(); logger = logging.Logger("x"); logger.addHandler(logging.StreamHandler(text)); logger.warning("hi")
      print(text.getvalue() == "hi\n")
    `,
  },
};

/** Of the environment "main". */
export const mainCells: Record<string, LibraryCell> = {
  "numpy with OpenBLAS": {
    modules: ["numpy"],
    code: "import numpy as np; a = np.random.rand(600, 600); print(bool((a @ a).sum() > 0))",
  },
  pandas: {
    modules: ["pandas"],
    code: py`
      import numpy as np, pandas as pd
      frame = pd.DataFrame({"k": np.arange(100000) % 7, "v": 1.0, "s": ["a", "b"] * 50000})
      print(frame.groupby("k").v.sum().shape == (7,) and frame.s.str.upper().value_counts().iloc[0] == 50000)
    `,
  },
  matplotlib: {
    modules: ["matplotlib.pyplot"],
    code: py`
      import io, matplotlib.pyplot as plt
      plt.plot([1, 2, 3]); plt.title("hi"); data = io.BytesIO(); plt.savefig(data); plt.close()
      print(len(data.getvalue()) > 1000)
    `,
  },
};

/** Of the environment "libraries". */
export const otherCells: Record<string, LibraryCell> = {
  "pyarrow's computations": {
    modules: ["pyarrow", "pyarrow.compute"],
    code: py`
      import pyarrow as pa
      table = pa.table({"k": pa.array(range(200000)), "v": pa.array([1.0] * 200000)})
      print(table.group_by("k").aggregate([("v", "sum")]).num_rows == 200000)
    `,
  },
  "pyarrow's files": {
    modules: ["pyarrow.parquet"],
    code: py`
      import pyarrow as pa, pyarrow.parquet as pq
      pq.write_table(pa.table({"k": pa.array(range(200000))}), "t.parquet"); print(pq.read_table("t.parquet").num_rows == 200000)
    `,
  },
  "scikit-learn with OpenMP": {
    modules: ["sklearn.cluster", "sklearn.ensemble"],
    code: py`
      import numpy as np
      from sklearn.cluster import KMeans
      from sklearn.ensemble import HistGradientBoostingClassifier
      x = np.random.rand(2000, 5); y = (x[:, 0] > 0.5).astype(int)
      good = KMeans(3, n_init=1).fit(x).inertia_ > 0
      print(bool(good and HistGradientBoostingClassifier(max_iter=5).fit(x, y).score(x, y) > 0.9))
    `,
  },
  "scikit-learn with threads and processes": {
    modules: ["sklearn.ensemble"],
    code: py`
      import numpy as np
      from joblib import Parallel, delayed
      from sklearn.ensemble import RandomForestClassifier
      x = np.random.rand(300, 5); y = (x[:, 0] > 0.5).astype(int)
      good = RandomForestClassifier(20, n_jobs=2).fit(x, y).score(x, y) > 0.9
      print(bool(good and Parallel(n_jobs=2)(delayed(abs)(-i) for i in range(4)) == [0, 1, 2, 3]))
    `,
  },
  numexpr: {
    modules: ["numexpr"],
    code: "import numexpr, numpy as np; a = np.arange(1e6); print(bool(numexpr.evaluate('sum(2 * a)') == (2 * a).sum()))",
  },
  numba: {
    modules: ["numba"],
    code: py`
      import numba, numpy as np
      @numba.njit(parallel=True)
      def total(a):
          s = 0.0
          for i in numba.prange(a.size): s += a[i]
          return s
      print(total(np.ones(1000)) == 1000)
    `,
  },
  scipy: {
    modules: ["scipy.linalg", "scipy.stats"],
    code: "import numpy as np, scipy.linalg; print(bool(abs(scipy.linalg.det(np.eye(200))) == 1))",
  },
  lightgbm: {
    modules: ["lightgbm"],
    code: py`
      import lightgbm, numpy as np
      x = np.random.rand(500, 5); y = (x[:, 0] > 0.5).astype(int)
      print(bool(lightgbm.LGBMClassifier(n_estimators=5, verbose=-1).fit(x, y).score(x, y) > 0.9))
    `,
  },
  polars: {
    modules: ["polars"],
    code: py`
      import polars as pl
      frame = pl.DataFrame({"k": list(range(100000)), "v": [1.0] * 100000})
      print(frame.group_by(pl.col("k") % 7).agg(pl.col("v").sum()).shape == (7, 2))
    `,
  },
  duckdb: {
    modules: ["duckdb"],
    code: py`
      import duckdb
      print(duckdb.connect().execute("select sum(range) from range(1000000)").fetchone()[0] == 499999500000)
    `,
  },
};

/** Those that no interpreter imports ahead, because they start threads. */
export const refusedLibraries = ["polars", "duckdb"];
