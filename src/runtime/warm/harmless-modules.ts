/**
 * The packages that `python.preload: auto` imports ahead: all kernels of a folder are forked from a Python that has them, whether they use
 * them or not. Importing one of these changes nothing that another program could notice (`process_state.py` compares), keeps no random
 * number but numpy's, which each kernel renews, no file, lock or shared memory, and prints nothing. Measured on Python 3.8 and 3.13.
 *
 * Not here, for example: faker and sympy (a random generator each), seaborn (registers colour maps with matplotlib), requests (gevent cannot
 * patch ssl afterwards), cv2 and setuptools (change LD_LIBRARY_PATH, sys.path), polars and duckdb (threads).
 */
const harmless: ReadonlySet<string> = new Set([
  "PIL",
  "dateutil",
  "joblib",
  "matplotlib",
  "numpy",
  "pandas",
  "pyarrow",
  "pytz",
  "scipy",
  "sklearn",
]);

/** Modules of these packages that exist to change the package. */
const switches: ReadonlySet<string> = new Set(["sklearn.experimental"]);

export function isHarmless(module: string): boolean {
  const [top = "", second = ""] = module.split(".");
  return harmless.has(top) && !switches.has(`${top}.${second}`);
}
