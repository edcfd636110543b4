import type { Kernel } from "../../kernel/kernel.ts";
import { findInterpreter } from "../../python/find-interpreter.ts";
import { kernelEnvironment } from "../../python/kernel-environment.ts";
import type { Surroundings } from "./surroundings.ts";

/** A kernel on the Python that belongs to the folder. */
export async function startKernel(
  cwd: string,
  { env, loadBackend }: Surroundings,
  signal: AbortSignal,
): Promise<Kernel> {
  const [interpreter, backend] = await Promise.all([findInterpreter({ cwd, env }), loadBackend()]);
  return backend.start({
    interpreter: interpreter.executable,
    cwd,
    env: kernelEnvironment(env, interpreter),
    signal,
  });
}
