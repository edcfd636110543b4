import { expect } from "vitest";
import { py } from "../../py.ts";

/** A state made by one cell, and a cell that uses it and prints True. */
export interface LibraryState {
  readonly make: string;
  readonly use: string;
  /** What is reported as not restored; nothing by default. */
  readonly lost?: readonly unknown[];
}

/** Needs nothing but Python. */
export const standardStates: Record<string, LibraryState> = {
  random: {
    make: "import random; random.seed(1); a = random.random()",
    use: "print(random.random() == 0.8474337369372327)",
  },
  asyncio: {
    make: py`
      import asyncio
      done = []
      async def work():
          await asyncio.sleep(0.05); done.append(1)
      task = asyncio.create_task(work())
    `,
    use: "await task; await asyncio.sleep(0.01); print(done == [1])",
  },
  logging: {
    make: "import logging, sys; logging.basicConfig(stream=sys.stdout, format='%(message)s'); log = logging.getLogger()",
    use: "log.warning('True')",
  },
  "sqlite3 in memory": {
    make: "import sqlite3; db = sqlite3.connect(':memory:'); db.execute('create table t(a)'); _ = db.execute('insert into t values (7)')",
    use: "print(db.execute('select a from t').fetchall() == [(7,)])",
  },
  "an open file": {
    make: "f = open('lines.txt', 'w+'); _ = f.write('one\\ntwo\\n'); f.flush(); _ = f.seek(0); first = f.readline()",
    use: "print(f.readline() == 'two\\n')",
  },
  generators: { make: "g = (i * i for i in range(9)); next(g); next(g)", use: "print(next(g) == 4)" },
  decimal: { make: "import decimal; decimal.getcontext().prec = 5", use: "print(decimal.getcontext().prec == 5)" },
  tempfile: {
    make: "import tempfile; folder = tempfile.TemporaryDirectory()",
    use: "import os; print(os.path.isdir(folder.name))",
  },
  subprocess: {
    make: "import subprocess",
    use: "print(subprocess.run(['echo', 'x'], stdout=subprocess.PIPE).stdout == b'x\\n')",
  },
  multiprocessing: {
    make: "import multiprocessing\ndef f(x): return x + 1",
    use: "with multiprocessing.get_context('fork').Pool(2) as pool: print(pool.map(f, [1, 2]) == [2, 3])",
  },
  threads: {
    make: "import concurrent.futures",
    use: "with concurrent.futures.ThreadPoolExecutor(2) as pool: print(list(pool.map(abs, [-1, -2])) == [1, 2])",
  },
  signals: {
    make: "import signal; got = []; _ = signal.signal(signal.SIGUSR1, lambda *_: got.append(1))",
    use: "import os; os.kill(os.getpid(), signal.SIGUSR1); print(got == [1])",
  },
};

/** Needs the packages of the environment `main`. */
export const packageStates: Record<string, LibraryState> = {
  numpy: {
    make: "import numpy as np; np.random.seed(0); a = np.random.rand(400, 400); b = a @ a; state = np.random.get_state()[2]",
    use: "print(bool(np.allclose(a @ a, b)) and np.random.get_state()[2] == state)",
  },
  pandas: {
    make: "import pandas as pd; df = pd.DataFrame({'k': list(range(1000)), 'v': 1.0})",
    use: "print(df.groupby(df.k % 7).v.sum().shape == (7,))",
  },
  matplotlib: {
    make: "import matplotlib.pyplot as plt; fig, ax = plt.subplots(); _ = ax.plot([1, 2]); plt.close(fig)",
    use: "import io; fig.savefig(io.BytesIO()); print(len(ax.lines) == 1)",
  },
  pillow: {
    make: "from PIL import Image; image = Image.new('RGB', (8, 8), 'red')",
    use: "print(image.resize((4, 4)).size == (4, 4))",
  },
  requests: {
    make: "import requests; session = requests.Session(); session.headers['a'] = 'b'",
    use: "print(session.headers['a'] == 'b')",
  },
  tqdm: {
    make: "from tqdm import tqdm; import io; _ = list(tqdm(range(3), file=io.StringIO()))",
    use: "print(len(list(tqdm(range(3), file=io.StringIO()))) == 3)",
  },
  rich: {
    make: "from rich.console import Console; console = Console(width=40, force_jupyter=False)",
    use: "console.print('True')",
  },
  trio: { make: "import trio", use: "trio.run(trio.sleep, 0.01); print(True)" },
  jinja2: { make: "import jinja2; page = jinja2.Template('{{ x }}')", use: "print(page.render(x=True))" },
  tornado: {
    make: "import tornado.ioloop; loop = tornado.ioloop.IOLoop.current()",
    use: "await __import__('asyncio').sleep(0.01); print(True)",
  },
};

/** Needs packages of the environments `libraries` and `oldest`. */
export const scientificStates: Record<string, LibraryState> = {
  "scikit-learn with OpenMP": {
    make: py`
      from sklearn.cluster import KMeans
      from sklearn.ensemble import HistGradientBoostingClassifier
      import numpy as np
      X = np.random.rand(2000, 5); y = (X[:, 0] > .5).astype(int)
      _ = KMeans(3, n_init=1).fit(X); _ = HistGradientBoostingClassifier(max_iter=5).fit(X, y)
    `,
    use: "print(KMeans(3, n_init=1).fit(X).inertia_ > 0 and HistGradientBoostingClassifier(max_iter=5).fit(X, y).score(X, y) > .9)",
  },
  pyarrow: {
    make: "import pyarrow as pa; t = pa.table({'k': pa.array(range(200000))}); _ = t.group_by('k').aggregate([('k', 'sum')])",
    use: "print(t.group_by('k').aggregate([('k', 'sum')]).num_rows == 200000)",
  },
  scipy: {
    make: "import numpy as np; from scipy import sparse; from scipy.sparse import linalg; m = sparse.eye(50).tocsc() * 2",
    use: "print(bool(np.allclose(linalg.spsolve(m, np.ones(50)), 0.5)))",
  },
  seaborn: {
    make: "import pandas as pd, seaborn as sns; ax = sns.histplot(pd.DataFrame({'a': [1, 2, 2]}), x='a'); __import__('matplotlib.pyplot').pyplot.close('all')",
    use: "import io; ax.figure.savefig(io.BytesIO()); print(len(ax.patches) > 0)",
  },
  sympy: {
    make: "import sympy; x = sympy.symbols('x'); f = sympy.integrate(sympy.sin(x), x)",
    use: "print(f == -sympy.cos(x))",
  },
  networkx: {
    make: "import networkx as nx; g = nx.path_graph(5)",
    use: "print(nx.shortest_path_length(g, 0, 4) == 4)",
  },
  sqlalchemy: {
    make: py`
      import sqlalchemy as sa
      engine = sa.create_engine("sqlite:///data.db")
      with engine.begin() as connection: connection.execute(sa.text("create table t(a)")); connection.execute(sa.text("insert into t values (7)"))
    `,
    use: "with engine.connect() as connection: print(connection.execute(sa.text('select a from t')).scalar() == 7)",
    lost: [expect.stringMatching(/^a transaction in .*data\.db$/)],
  },
  lxml: {
    make: "from lxml import etree; tree = etree.fromstring('<a><b>7</b></a>')",
    use: "print(tree.findtext('b') == '7')",
  },
  pydantic: {
    make: "import pydantic\nclass Row(pydantic.BaseModel):\n    a: int\nrow = Row(a=1)",
    use: "print(row.a == 1 and Row(a='2').a == 2)",
  },
  httpx: {
    make: "import httpx; client = httpx.Client(headers={'a': 'b'})",
    use: "print(client.headers['a'] == 'b' and client.build_request('GET', 'http://x').url.host == 'x')",
  },
  duckdb: {
    make: "import duckdb; c = duckdb.connect(); _ = c.execute('create table t as select range a from range(1000000)')",
    use: "print(c.execute('select sum(a) from t').fetchone()[0] == 499999500000)",
  },
};
