import type { Kernel } from "../kernel/kernel.ts";
import { filterEnvironment } from "../python/filter-environment.ts";
import { shellSnapshot } from "../shell/shell-snapshot.ts";
import { allowedVariables } from "./allowed-variables.ts";
import type { LaunchOptions } from "./launch-kernel.ts";

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
  const allow = allowedVariables(settings);
  // An rc file exports most of it again, so a login that is withheld from the kernel is withheld here, too.
  const filter = (name: string): boolean => name in filterEnvironment({ [name]: env[name] ?? "" }, { allow });
  const capture = (signal: AbortSignal) => shellSnapshot({ home, env, filter, signal });
  return {
    // Cancelled from the beginning, it starts no shell.
    path: capture(AbortSignal.abort()).path,
    captureBeside(kernel) {
      const kernelEnded = new AbortController();
      const timer = setTimeout(() => capture(kernelEnded.signal), shortRunMs).unref();
      void kernel.exited.then(() => {
        clearTimeout(timer);
        kernelEnded.abort();
      });
    },
  };
}
