import { delimiter, isAbsolute } from "node:path";
import type { Environment } from "../../support/environment.ts";
import { type FilterOptions, filterEnvironment } from "./filter-environment.ts";

export interface PackageContext {
  readonly cwd: string;
  readonly env: Environment;
  /** Additional variables for a kernel. */
  readonly allowEnv?: FilterOptions | undefined;
}

/** Everything around a Python that decides where it finds packages, as text: the same text means the same packages. */
export function packageContext({ cwd, env, allowEnv }: PackageContext): string {
  const given = filterEnvironment(env, allowEnv);
  const relevant = Object.entries(given).filter(([name]) => name.startsWith("PYTHON") || name === "HOME");
  const dependsOnFolder = given.PYTHONPATH?.split(delimiter).some((entry) => !isAbsolute(entry));
  return JSON.stringify([...relevant.sort(), ...(dependsOnFolder ? [["cwd", cwd]] : [])]);
}
