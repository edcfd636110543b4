import { readdirSync, readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { packageFile } from "../../support/files/package-file.ts";

const python = packageFile("python/");

/** Files of the runner that the prelude brings along to kernels that are not the runner. */
const shared = [
  "granary_runner/working_folder.py",
  "granary_runner/magics/running/process_tree.py",
  "granary_runner/terminal.py",
];

interface PreludeSources {
  /** What a kernel runs first; it makes modules of the rest. */
  readonly boot: string;
  /** The names of the helpers, with their documentation. */
  readonly package: string;
  /** All other modules, by name, as JSON, deflated, in base64: reading their text is what a start would spend most time on. */
  readonly packedModules: string;
}

let sources: PreludeSources | undefined;

/** The Python side of the bootstrap. Read once in the life of a process. */
export function preludeSources(): PreludeSources {
  sources ??= readSources();
  return sources;
}

function readSources(): PreludeSources {
  const own = readdirSync(`${python}granary_prelude`).filter((name) => name.endsWith(".py"));
  const files = [...own.map((name) => `granary_prelude/${name}`), ...shared];
  const texts = files.map((file) => [moduleName(file), readFileSync(python + file, "utf8")] as const);
  const { granary_prelude = "", "granary_prelude.boot": boot = "", ...modules } = Object.fromEntries(texts);
  return { boot, package: granary_prelude, packedModules: deflateSync(JSON.stringify(modules)).toString("base64") };
}

/** `granary_prelude/__init__.py` is the package; every other file a module of it, wherever it lies. */
function moduleName(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1, -".py".length);
  return name === "__init__" ? "granary_prelude" : `granary_prelude.${name}`;
}
