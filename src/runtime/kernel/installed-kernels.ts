import { findInterpreter } from "../../python/find/find-interpreter.ts";
import { interpreterSearch } from "./launch-kernel.ts";
import type { StartContext } from "./start-context.ts";
import { startEnvironment } from "./start-environment.ts";

/** A Jupyter kernelspec that sessions can be started with. */
export interface InstalledKernel {
  readonly name: string;
  /** In lower case: `python`, `bash`, `r`. */
  readonly language: string;
}

/** The kernels of this machine, or those of an external gateway. */
export async function installedKernels(
  startContext: StartContext,
  signal: AbortSignal,
): Promise<readonly InstalledKernel[]> {
  if (startContext.site === "elsewhere") return offered(startContext, signal);
  const interpreter = await findInterpreter(interpreterSearch({ ...startContext, signal }));
  const { installedKernelspecs } = await import("../../kernel/zmq/kernelspec.ts");
  const env = startEnvironment(interpreter, startContext);
  return (await installedKernelspecs({ interpreter: interpreter.executable, env })).map(inLowerCase);
}

async function offered({ settings, env }: StartContext, signal: AbortSignal): Promise<readonly InstalledKernel[]> {
  const [{ externalGateway }, { offeredKernels }] = await Promise.all([
    import("../backend/load-gateway.ts"),
    import("../../kernel/gateway/rest/offered-kernels.ts"),
  ]);
  return (await offeredKernels(await externalGateway(settings.values, env), signal)).map(inLowerCase);
}

function inLowerCase({ name, language }: InstalledKernel): InstalledKernel {
  return { name, language: language.toLowerCase() };
}
