import type { FilterOptions } from "../../python/environment/filter-environment.ts";
import type { LoadedSettings } from "../../settings/load-settings.ts";

/** What `python.allowEnv` lets through. A file that came with a cloned folder does not decide about secrets. */
export function allowedVariables({ values, origins }: LoadedSettings): FilterOptions {
  return { allow: values.python.allowEnv, evenSecrets: origins["python.allowEnv"].from !== "project-file" };
}
