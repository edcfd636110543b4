import type { KernelListener } from "../../session/kernel-life/succession.ts";
import { GranaryError } from "../../support/granary-error.ts";

/** For a folder whose own settings limit code more than the runtime does: tools have the limits of the runtime, and act outside. */
export function withoutTools(listener: KernelListener, cwd: string): KernelListener {
  return {
    ...listener,
    onHostCall: async () => {
      const problem = `The settings of ${cwd} limit code more than those of the folder that Granary was started in, so code here cannot call tools.`;
      throw new GranaryError("no-tools", `${problem} Start Granary in ${cwd}.`);
    },
  };
}
