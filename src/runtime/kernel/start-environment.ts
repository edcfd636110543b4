import type { KernelBackend } from "../../kernel/kernel.ts";
import { kernelEnvironment } from "../../python/environment/kernel-environment.ts";
import { neverPassed } from "../../python/environment/passed-variables.ts";
import type { Interpreter } from "../../python/interpreter.ts";
import { allowedVariables } from "./allowed-variables.ts";
import { hostVariables } from "./host-variables.ts";
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
