import { KernelError } from "../../kernel/errors.ts";
import type { BackendName, KernelBackend } from "../../kernel/kernel.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Environment } from "../../support/environment.ts";

/** Whose Python it is: one on this machine, one behind somebody's gateway, or a kernel that runs already. */
export type KernelSite = "here" | "elsewhere" | "attached";

/** Which kernel is wanted, besides what the settings say. */
interface KernelWish {
  readonly env: Environment;
  /** The connection file of a kernel that somebody else has started. */
  readonly attach?: string | undefined;
}

/**
 * What `python.backend` means: `auto` is the external gateway when there is one, else the embedded runner, which runs
 * nothing but Python: a kernelspec is started as Jupyter would.
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

/** Ours, or the one that Jupyter's own clients have been told of. */
export function hasExternalGateway({ python }: Settings, env: Environment): boolean {
  return python.gatewayUrl !== null || !!env.JUPYTER_GATEWAY_URL;
}

export interface BackendOptions extends KernelWish {
  /** Granary's own folder. */
  readonly home: string;
  /** Where a kernel shall outlive this process: how a later one finds it. */
  readonly keepAs?: { readonly name: string; readonly anew: boolean } | undefined;
}

export type LoadBackend = (settings: Settings, options: BackendOptions) => Promise<KernelBackend>;

/** Loads only the backend that is used. */
export async function loadBackend(settings: Settings, options: BackendOptions): Promise<KernelBackend> {
  const kernelspec = settings.python.kernel ?? undefined;
  switch (chooseBackend(settings, options)) {
    case "runner": {
      if (kernelspec !== undefined) throw runsOnlyPython(kernelspec);
      const { createRunnerBackend } = await import("../../kernel/runner/runner-backend.ts");
      return createRunnerBackend();
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
