import { readFileSync } from "node:fs";
import { inRepository } from "../../scripts/repository.mjs";
import type { EnvironmentName } from "./build-environment.mjs";
import type { Python } from "./find-pythons.mjs";
import type { Environment, TestPythons } from "./set-up.mjs";

/** Every Python on this machine that Granary supports, oldest first. */
export function pythons(): readonly Python[] {
  return found().pythons;
}

export function oldestPython(): Python {
  return found().pythons.at(0) as Python;
}

export function newestPython(): Python {
  return found().pythons.at(-1) as Python;
}

/**
 * A Python with packages: `main` has those people plot and compute with, and Jupyter's with ipykernel 7; `plain` has the
 * former without IPython; `ipykernel6` has that, a kernel for bash and little else; `enterprise` has Enterprise Gateway; `jupyterlab`
 * has JupyterLab and papermill; `oldest` has libraries of science on Python 3.8.
 * Where it could not be made, such as without a network, the reason takes its place and the test is to be skipped.
 */
export function environment(name: Exclude<EnvironmentName, "libraries" | "agents">): Environment {
  return found().environments[name];
}

/** A Python with ipykernel and a hundred libraries, as far as they install; `test/environment/libraries.in` has their names. */
export function libraries(): TestPythons["libraries"] {
  return found().libraries;
}

let known: TestPythons | undefined;

/** Read once: the set-up writes it before any test runs, and tests ask thousands of times. */
function found(): TestPythons {
  known ??= JSON.parse(readFileSync(inRepository("node_modules/.cache/test-pythons.json"), "utf8")) as TestPythons;
  return known;
}
