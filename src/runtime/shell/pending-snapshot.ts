import type { Kernel } from "../../kernel/kernel.ts";
import { filterEnvironment } from "../../python/environment/kernel-environment.ts";
import type { LoadedSettings } from "../../settings/load-settings.ts";
import { snapshotPath, type VariableFilter } from "../../shell/snapshot/snapshot-path.ts";
import type { LaunchOptions } from "../kernel/launch-kernel.ts";
import { allowedVariables } from "../kernel/start-environment.ts";

export interface PendingSnapshot {
  /** The path of the snapshot of the user's shell, which may not exist yet. */
  readonly path: string;
  /** Makes it, unless it exists, when the kernel has lived for a while; gives up when the kernel ends. */
  captureBeside(kernel: Pick<Kernel, "exited">): void;
}

/** Most runs are over by then, and a shell that reads its rc files should not slow them down. */
const shortRunMs = 300;

/** Kernels get the path at their start, and `bash()` uses the file as soon as it exists. */
export function pendingSnapshot({
  home,
  env,
  settings,
}: Pick<LaunchOptions, "home" | "env" | "settings">): PendingSnapshot {
  const filter = snapshotFilter(settings);
  return {
    path: snapshotPath({ home, env, filter }),
    captureBeside(kernel) {
      const kernelEnded = new AbortController();
      const { signal } = kernelEnded;
      const capture = async (): Promise<void> => {
        const { shellSnapshot } = await import("../../shell/snapshot/shell-snapshot.ts");
        if (!signal.aborted) await shellSnapshot({ home, env, filter, signal }).ready;
      };
      // Without a snapshot, commands run without aliases and functions.
      const timer = setTimeout(() => void capture().catch(() => undefined), shortRunMs).unref();
      void kernel.exited.then(() => {
        clearTimeout(timer);
        kernelEnded.abort();
      });
    },
  };
}

/** Variables that the user's rc files export are filtered like all others. */
export function snapshotFilter(settings: LoadedSettings): VariableFilter {
  const allowed = allowedVariables(settings);
  return {
    rules: JSON.stringify(allowed),
    passes: (name, value) => name in filterEnvironment({ [name]: value }, allowed),
  };
}
