import { filterEnvironment } from "../../python/environment/filter-environment.ts";
import type { LoadedSettings } from "../../settings/load-settings.ts";
import type { VariableFilter } from "../../shell/snapshot/snapshot-path.ts";
import { allowedVariables } from "../kernel/allowed-variables.ts";

/** What a user's rc files export is subject to the same rules as what they had exported before. */
export function snapshotFilter(settings: LoadedSettings): VariableFilter {
  const allowed = allowedVariables(settings);
  return {
    rules: JSON.stringify(allowed),
    passes: (name, value) => name in filterEnvironment({ [name]: value }, allowed),
  };
}
