import type { Kernel } from "../../kernel/kernel.ts";
import { filterEnvironment } from "../../python/environment/kernel-environment.ts";
import type { LoadedSettings } from "../../settings/load-settings.ts";
import { snapshotPath, type VariableFilter } from "../../shell/snapshot/snapshot-path.ts";
import type { LaunchOptions } from "../kernel/launch-kernel.ts";
import { allowedVariables } from "../kernel/start-environment.ts";

export interface PendingSnapshot {
  /** Where the snapshot of the user's shell is, or will be. */
  readonly path: string;
  /** Makes it, unless it is there, when the kernel has lived for a while; gives up when the kernel ends. */
  captureBeside(kernel: Pick<Kernel, "exited">): void;
}

/** Most runs are over by then, and should not have shared the machine with a shell that reads its rc files. */
const shortRunMs = 300;

/** Kernels are told the path at their start, and `bash()` uses the file as soon as it exists. */
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
      // Without a snapshot, commands run as they would have anyway.
      const timer = setTimeout(() => void capture().catch(() => undefined), shortRunMs).unref();
      void kernel.exited.then(() => {
        clearTimeout(timer);
        kernelEnded.abort();
      });
    },
  };
}

/** What a user's rc files export is subject to the same rules as what they had exported before. */
export function snapshotFilter(settings: LoadedSettings): VariableFilter {
  const allowed = allowedVariables(settings);
  return {
    rules: JSON.stringify(allowed),
    passes: (name, value) => name in filterEnvironment({ [name]: value }, allowed),
  };
}
