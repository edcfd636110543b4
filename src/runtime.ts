import type { Kernel, StartOptions } from "./kernel/kernel.ts";
import { createRunnerBackend } from "./kernel/runner/runner-backend.ts";
import { findInterpreter } from "./python/find-interpreter.ts";
import { kernelEnvironment } from "./python/kernel-environment.ts";

export interface StartKernelOptions extends Partial<Omit<StartOptions, "env">> {
  /** The environment Python is looked for in and started with; the process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Starts the Python that belongs to a folder: `await using kernel = await startKernel({ cwd })`. */
export async function startKernel(options: StartKernelOptions = {}): Promise<Kernel> {
  const { cwd = process.cwd(), env = process.env, interpreter: explicit, ...rest } = options;
  const interpreter = await findInterpreter({ cwd, env, explicit });
  return createRunnerBackend().start({
    ...rest,
    cwd,
    interpreter: interpreter.executable,
    env: kernelEnvironment(env, interpreter),
  });
}
