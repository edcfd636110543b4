import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { requireDescriptors } from "../../support/process/descriptors.ts";
import type { Availability, KernelBackend, StartOptions } from "../kernel.ts";
import { attachKernel } from "./attach-kernel.ts";
import { findKernelspec } from "./kernelspec.ts";
import { launchZmqKernel } from "./launch-kernel.ts";

/** Jupyter kernels, each in a process of ours, reached over ZeroMQ. */
export function createZmqBackend(options: { readonly kernelspec?: string | undefined } = {}): KernelBackend {
  return {
    name: "zmq",
    probe: (context) => probe(options.kernelspec, context),
    start: (startOptions) => launchZmqKernel({ ...startOptions, ...options }),
  };
}

/** A running kernel, by its connection file. */
export function createAttachBackend(connectionFile: string): KernelBackend {
  return {
    name: "zmq",
    probe: async () => ({ available: true }),
    start: (startOptions) => attachKernel({ ...startOptions, connectionFile }),
  };
}

async function probe(
  kernelspec: string | undefined,
  { interpreter, env, signal }: Pick<StartOptions, "interpreter" | "env" | "signal">,
): Promise<Availability> {
  try {
    requireDescriptors();
    if (kernelspec !== undefined) await findKernelspec(kernelspec, { interpreter, env });
    else await promisify(execFile)(interpreter, ["-c", "import ipykernel"], { env, signal, cwd: "/" });
    return { available: true };
  } catch (error) {
    signal?.throwIfAborted();
    const { message, stderr = "" } = error as Error & { readonly stderr?: string };
    const isMissing = stderr.includes("No module named 'ipykernel'");
    return {
      available: false,
      reason: isMissing ? `${interpreter} has no ipykernel.` : stderr.trim() || message,
      remedy: `Install it with: ${interpreter} -m pip install ipykernel`,
    };
  }
}
