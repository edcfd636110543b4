import type { KernelBackend } from "../../kernel/kernel.ts";
import { type FilterOptions, kernelEnvironment } from "../../python/environment/kernel-environment.ts";
import { neverPassed } from "../../python/environment/passed-variables.ts";
import type { Interpreter } from "../../python/interpreter.ts";
import type { LoadedSettings } from "../../settings/load-settings.ts";
import type { LaunchOptions } from "./launch-kernel.ts";

interface Given extends Pick<LaunchOptions, "env" | "extraEnv" | "host" | "settings"> {
  /** What the kernel runs on, where it is for one. */
  readonly backend?: KernelBackend["name"] | undefined;
}

/** All that the process of a kernel is given: what the filter lets through, what the host has, what was asked for. */
export function startEnvironment(
  interpreter: Pick<Interpreter, "virtualEnvironment" | "condaEnvironment">,
  { env, extraEnv, host, settings, backend = "runner" }: Given,
): Record<string, string> {
  const showsFigures = backend !== "runner";
  const filtered = kernelEnvironment(env, interpreter, { ...allowedVariables(settings), showsFigures });
  const all = { ...filtered, ...hostVariables(host), ...extraEnv };
  return Object.fromEntries(Object.entries(all).filter(([name]) => !never.has(name)));
}

/** Not even when somebody asks for them: every child process of a cell would have Granary's own tokens. */
const never: ReadonlySet<string> = new Set(neverPassed.map(({ name }) => name));

/** What `python.allowEnv` lets through. A file that came with a cloned folder does not decide about secrets. */
export function allowedVariables({ values, origins }: LoadedSettings): FilterOptions {
  return { allow: values.python.allowEnv, evenSecrets: origins["python.allowEnv"].from !== "project-file" };
}

/** What a host may have for the code in its kernels. */
export interface HostVariables {
  /** The file that holds the agent's conversation. */
  readonly sessionFile?: string | undefined;
  /** Where artifacts are kept. */
  readonly artifactsFolder?: string | undefined;
  /** A shell snapshot that exists, or will soon. */
  readonly shellSnapshot?: string | undefined;
  /** Where Python reaches the host's tools. Its token is handed to the prelude only. */
  readonly bridge?: { readonly url: string; readonly token: string; readonly session: string } | undefined;
}

/** As the variables of that name that preludes and modules read. */
export function hostVariables(host: HostVariables = {}): Record<string, string> {
  const { sessionFile, artifactsFolder, shellSnapshot, bridge } = host;
  const variables = {
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
