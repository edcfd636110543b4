import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readSmallFile } from "../../support/files/foreign/regular-file.ts";
import type { PythonFacts } from "../interpreter.ts";
import type { Examined } from "./examine-candidate.ts";

/** The packages that `python/granary_probe.py` looks for. */
const packages = ["ipykernel", "jupyter_client", "kernel_gateway", "IPython", "pip"];

/** Facts about a Python from the files around it, without starting it; null where the files say nothing. */
export async function readFacts({
  executable,
  virtualEnvironment,
}: Pick<Examined, "executable" | "virtualEnvironment">): Promise<PythonFacts | null> {
  // As Python does: without an environment, it follows links to find its prefix.
  const program = await realpath(executable).catch(() => executable);
  const prefix = virtualEnvironment ?? dirname(dirname(program));
  const name = basename(program);
  const library = await libraryIn(prefix, name);
  const said = virtualEnvironment === null ? new Map<string, string>() : await readConfiguration(virtualEnvironment);
  const version = versionIn(
    said.get("version_info") ?? said.get("version") ?? (isNumbered(name) ? name : (library ?? "")),
  );
  if (version === null) return null;
  const sitePackages = library === null ? [] : [join(prefix, "lib", library, "site-packages")];
  const home = said.get("home");
  return {
    version,
    implementation: (said.get("implementation") ?? (library?.startsWith("pypy") ? "pypy" : "cpython")).toLowerCase(),
    prefix,
    basePrefix: home === undefined ? prefix : dirname(home),
    sitePackages,
    modules: await modulesIn(sitePackages),
  };
}

/** `pyvenv.cfg`, which venv, virtualenv and uv write. Names are in lower case: Python does not distinguish them. */
export async function readConfiguration(environment: string): Promise<ReadonlyMap<string, string>> {
  const text = await readSmallFile(join(environment, "pyvenv.cfg")).catch(() => "");
  const lines = text.split("\n").map((line) => /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line));
  return new Map(lines.flatMap((line) => (line === null ? [] : [[(line[1] ?? "").toLowerCase(), line[2] ?? ""]])));
}

/** The name of the standard library's folder, such as `python3.12`; `/usr` may have several, one for each program. */
async function libraryIn(prefix: string, program: string): Promise<string | null> {
  const names: readonly string[] = await readdir(join(prefix, "lib")).catch(() => []);
  return names.includes(program) ? program : (names.find((name) => /^(python|pypy)3\.\d+t?$/.test(name)) ?? null);
}

function isNumbered(name: string): boolean {
  return /^(python|pypy)\d+\.\d+t?$/.test(name);
}

function versionIn(text: string): string | null {
  return /\d+\.\d+(\.\d+)?/.exec(text)?.[0] ?? null;
}

async function modulesIn(folders: readonly string[]): Promise<readonly string[]> {
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  const installed = new Set(names.flat());
  return packages.filter((name) => installed.has(name));
}
