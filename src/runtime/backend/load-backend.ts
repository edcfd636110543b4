import { KernelError } from "../../kernel/errors.ts";
import type { BackendName, KernelBackend } from "../../kernel/kernel.ts";
import type { KernelForks } from "../../kernel/runner/runner-backend.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Environment } from "../../support/environment.ts";

/** The place of Python: this machine, an external gateway, or a running kernel. */
export type KernelSite = "here" | "elsewhere" | "attached";

/** The requested kernel, besides the settings. */
interface KernelWish {
  readonly env: Environment;
  /** The connection file of a running kernel. */
  readonly attach?: string | undefined;
}

/**
 * The meaning of `python.backend`: `auto` is the external gateway when there is one, else the embedded runner. The runner
 * runs only Python: a kernelspec is started as Jupyter would.
 */
export function chooseBackend(settings: Settings, { env, attach }: KernelWish): BackendName {
  const { backend, kernel } = settings.python;
  if (attach !== undefined) return "zmq";
  if (backend !== "auto") return backend;
  if (hasExternalGateway(settings, env)) return "gateway";
  return kernel === null ? "runner" : "zmq";
}

export function kernelSite(settings: Settings, wish: KernelWish): KernelSite {
  if (wish.attach !== undefined) return "attached";
  const isElsewhere = chooseBackend(settings, wish) === "gateway" && hasExternalGateway(settings, wish.env);
  return isElsewhere ? "elsewhere" : "here";
}

/** The address in Granary's settings, or in the variables of Jupyter's own client. */
export function hasExternalGateway({ python }: Settings, env: Environment): boolean {
  return python.gatewayUrl !== null || !!env.JUPYTER_GATEWAY_URL;
}

export interface BackendOptions extends KernelWish {
  /** Granary's own folder. */
  readonly home: string;
  /** For a kernel that outlives this process: the name by which a later process finds it. */
  readonly keepAs?: { readonly name: string; readonly anew: boolean } | undefined;
  /** Where kernels on the runner are forked from. */
  readonly warm?: KernelForks | undefined;
}

export type LoadBackend = (settings: Settings, options: BackendOptions) => Promise<KernelBackend>;

/** Loads only the backend that is used. */
export async function loadBackend(settings: Settings, options: BackendOptions): Promise<KernelBackend> {
  const kernelspec = settings.python.kernel ?? undefined;
  switch (chooseBackend(settings, options)) {
    case "runner": {
      if (kernelspec !== undefined) throw runsOnlyPython(kernelspec);
      const { createRunnerBackend } = await import("../../kernel/runner/runner-backend.ts");
      return createRunnerBackend({ warm: options.warm });
    }
    case "zmq": {
      const { createAttachBackend, createZmqBackend } = await import("../../kernel/zmq/zmq-backend.ts");
      return options.attach === undefined ? createZmqBackend({ kernelspec }) : createAttachBackend(options.attach);
    }
    case "gateway": {
      const { loadGateway } = await import("./load-gateway.ts");
      return loadGateway(settings, options);
    }
  }
}

function runsOnlyPython(kernel: string): KernelError {
  const remedy = "Set python.backend to zmq or gateway, or leave out the kernel.";
  return new KernelError("start-failed", `The embedded runner has no kernel ${kernel}: it runs Python. ${remedy}`);
}
