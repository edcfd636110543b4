import type { KernelBackend } from "../../kernel/kernel.ts";
import {
  type FilterOptions,
  type KernelPython,
  kernelEnvironment,
} from "../../python/environment/kernel-environment.ts";
import { neverPassed } from "../../python/environment/passed-variables.ts";
import type { LoadedSettings } from "../../settings/load-settings.ts";
import type { LaunchOptions } from "./launch-kernel.ts";

interface Given extends Pick<LaunchOptions, "env" | "extraEnv" | "host" | "settings"> {
  /** The Python of the kernel, if the environment is for one. */
  readonly backend?: KernelBackend["name"] | undefined;
}

/** The environment of a kernel's process: filtered variables, the host's, and those requested. */
export function startEnvironment(
  interpreter: KernelPython,
  { env, extraEnv, host, settings, backend = "runner" }: Given,
): Record<string, string> {
  const showsFigures = backend !== "runner";
  const hidesShims = settings.values.python.sandbox === "strict";
  const filtered = kernelEnvironment(env, interpreter, { ...allowedVariables(settings), showsFigures, hidesShims });
  const all = { ...filtered, ...hostVariables(host), ...extraEnv };
  return Object.fromEntries(Object.entries(all).filter(([name]) => !never.has(name)));
}

/** Never passed, not even on request: every child process of a cell would have Granary's own tokens. */
const never: ReadonlySet<string> = new Set(neverPassed.map(({ name }) => name));

/** The variables of `python.allowEnv`. A file in a cloned folder must not pass on secrets. */
export function allowedVariables({ values, origins }: LoadedSettings): FilterOptions {
  return { allow: values.python.allowEnv, evenSecrets: origins["python.allowEnv"].from !== "project-file" };
}

/** Values that a host may have for the code in its kernels. */
export interface HostVariables {
  /** The file that holds the agent's conversation. */
  readonly sessionFile?: string | undefined;
  /** The folder of artifacts. */
  readonly artifactsFolder?: string | undefined;
  /** A shell snapshot that exists, or soon will. */
  readonly shellSnapshot?: string | undefined;
  /** The address of the host's tools. Only the prelude gets its token. */
  readonly bridge?: { readonly url: string; readonly token: string; readonly session: string } | undefined;
}

/** The variables that differ from session to session, although all others may be the same. */
export const variablesOfSessions = [
  "PI_SESSION_FILE",
  "ARTIFACTS",
  "PI_ARTIFACTS_DIR",
  "PI_SHELL_SNAPSHOT",
  "PI_TOOL_BRIDGE_URL",
  "PI_TOOL_BRIDGE_SESSION",
] as const;

/** As the variables that preludes and modules read. */
export function hostVariables(host: HostVariables = {}): Record<string, string> {
  const { sessionFile, artifactsFolder, shellSnapshot, bridge } = host;
  const variables: Record<(typeof variablesOfSessions)[number], string | undefined> = {
    PI_SESSION_FILE: sessionFile,
    // Both names are documented, for the same folder.
    ARTIFACTS: artifactsFolder,
    PI_ARTIFACTS_DIR: artifactsFolder,
    PI_SHELL_SNAPSHOT: shellSnapshot,
    PI_TOOL_BRIDGE_URL: bridge?.url,
    PI_TOOL_BRIDGE_SESSION: bridge?.session,
  };
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
