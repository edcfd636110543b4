import { neverPassed } from "../../../python/environment/passed-variables.ts";
import type { Findings } from "./diagnosis.ts";
import type { Problem } from "./problems.ts";

/**
 * What the project's file allows in vain. It is no error, as other settings are that a project cannot make: whoever
 * cloned the folder could not run anything in it, and a name may only look like that of a secret.
 */
export function refusedVariables({ settings, withheld }: Findings): readonly Problem[] {
  const allowEnv = settings.find(({ name }) => name === "python.allowEnv");
  const allowed = (allowEnv?.value ?? []) as readonly string[];
  // Every other source lets through what it names, but for what nobody can allow.
  const refused = withheld.filter((name) => allowed.includes(name) && !never.has(name));
  if (refused.length === 0) return [];
  return [
    {
      severity: "warning",
      problem:
        `${allowEnv?.origin} allows ${refused.join(", ")}, but a project's file lets nothing through that looks like a ` +
        "secret, by its name or by a login in its value. Cells do not see it.",
      remedy:
        "If you trust this folder, allow it yourself: with --env for one run, or with the variable " +
        "GRANARY_PYTHON_ALLOW_ENV, which replaces the project's list.",
      command: null,
    },
  ];
}

const never: ReadonlySet<string> = new Set(neverPassed.map(({ name }) => name));
