import { KernelError } from "../../kernel/errors.ts";
import type { KernelBackend } from "../../kernel/kernel.ts";
import type { KernelForks } from "../../kernel/runner/runner-backend.ts";
import type { Settings } from "../../settings/settings.ts";
import { chooseBackend, type KernelWish } from "./choose-backend.ts";

export interface BackendOptions extends KernelWish {
  /** Granary's own folder. */
  readonly home: string;
  /** Where a kernel shall outlive this process: how a later one finds it. */
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
