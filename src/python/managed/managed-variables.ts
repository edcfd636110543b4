import type { Environment } from "../../support/environment.ts";

/**
 * The variables for making the managed environment: none may lead pip or uv to the project's
 * environment or to the user's own packages. Proxies, indexes and certificates stay as they are.
 */
export function managedVariables(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !leadsElsewhere(entry[0]),
  );
  return {
    ...Object.fromEntries(kept),
    PYTHONNOUSERSITE: "1",
    PYTHONUNBUFFERED: "1",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    PIP_NO_INPUT: "1",
    // A `user = true` in pip's own settings would make it refuse to install here.
    PIP_USER: "0",
  };
}

const elsewhere = new Set([
  ...["VIRTUAL_ENV", "VIRTUAL_ENV_PROMPT", "PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP", "__PYVENV_LAUNCHER__"],
  ...["PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PIP_PYTHON", "PIP_REQUIRE_VIRTUALENV", "PIP_DRY_RUN"],
  ...["UV_PYTHON", "UV_SYSTEM_PYTHON", "UV_PROJECT", "UV_PROJECT_ENVIRONMENT", "UV_WORKING_DIRECTORY"],
]);

function leadsElsewhere(name: string): boolean {
  return elsewhere.has(name) || name.startsWith("CONDA_");
}
