import { delimiter, join } from "node:path";
import type { Environment } from "../../support/environment.ts";
import type { Interpreter } from "../interpreter.ts";
import { type FilterOptions, filterEnvironment } from "./filter-environment.ts";

export interface KernelEnvironmentOptions extends FilterOptions {
  /**
   * Whether the kernel has its own matplotlib backend, which sends figures as messages. Jupyter kernels have one, and use
   * it only if no other is named.
   */
  readonly showsFigures?: boolean | undefined;
}

/**
 * The environment of a new kernel on this interpreter. On Windows, `bin` will have to be `Scripts`.
 *
 * @example
 * const env = kernelEnvironment(process.env, await findInterpreter({ cwd, env: process.env }));
 */
export function kernelEnvironment(
  env: Environment,
  { virtualEnvironment, condaEnvironment }: Pick<Interpreter, "virtualEnvironment" | "condaEnvironment">,
  options: KernelEnvironmentOptions = {},
): Record<string, string> {
  const result = filterEnvironment(env, options);
  // pip, uv and child processes trust VIRTUAL_ENV, so it must name our environment or none.
  delete result.VIRTUAL_ENV;
  if (virtualEnvironment !== null) {
    result.VIRTUAL_ENV = virtualEnvironment;
    result.PATH = withFirst(join(virtualEnvironment, "bin"), result.PATH);
  } else if (condaEnvironment !== null) {
    // conda's name for the environment belongs to the removed prefix.
    if (result.CONDA_PREFIX !== condaEnvironment) delete result.CONDA_DEFAULT_ENV;
    result.CONDA_PREFIX = condaEnvironment;
    result.PATH = withFirst(join(condaEnvironment, "bin"), result.PATH);
  }
  if (options.allow?.includes("MPLBACKEND")) return result;
  if (options.showsFigures) delete result.MPLBACKEND;
  else result.MPLBACKEND = backendWithoutWindows(result.MPLBACKEND);
  return result;
}

function withFirst(programs: string, path = ""): string {
  const others = path.split(delimiter).filter((entry) => entry !== programs && entry !== "");
  return [programs, ...others].join(delimiter);
}

/** Kernels have no windows, and a notebook's backend, inherited from Jupyter, may not be installed here. */
function backendWithoutWindows(chosen = ""): string {
  return windowless.includes(chosen.toLowerCase()) ? chosen : "agg";
}

const windowless = ["agg", "cairo", "pdf", "pgf", "ps", "svg", "template"];
